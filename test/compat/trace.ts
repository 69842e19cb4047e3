// What was heard of real runs of an agent, for a reader to hear again: see replay.ts.
import type { ActivityKind } from "../../src/contract.ts";
import type { Observation, ReaderStart } from "../../src/server/agents/reading.ts";

export interface Take {
  name: string;
  start: ReaderStart;
  news: Observation[];
  /** What the board said of it. */
  history: ActivityKind[];
}

/** Of one version in one of its variants. They repeat themselves a hundred times over. */
export const packTakes = (takes: Take[]): Uint8Array =>
  Bun.gzipSync(JSON.stringify(takes.map((take) => ({ ...take, news: take.news.filter(isOfUse) }))));

export const unpackTakes = (bytes: Uint8Array<ArrayBuffer>): Take[] =>
  JSON.parse(new TextDecoder().decode(Bun.gunzipSync(bytes)));

/** Figures change nothing about the state. */
const isOfUse = (one: Observation) => one.type !== "signal" || one.signal.name !== "status";
