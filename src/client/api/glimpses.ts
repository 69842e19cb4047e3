// What running sessions show and how they stand in figures. Only true for the moment, so it is kept outside the
// query cache and outside the board's own rendering.

import type { Gauges } from "../../contract.ts";
import { createStore, useStore } from "../state/store.ts";
import { api, unwrap } from "./client.ts";

interface Glimpse {
  sessionId: string;
  /** The last lines of its screen. */
  lines: readonly string[];
  gauges: Gauges | null;
}

/** By task. */
const glimpses = createStore<ReadonlyMap<string, Glimpse>>(new Map());

const NO_LINES: readonly string[] = [];

export const useLines = (taskId: string, sessionId: string | null) =>
  useStore(glimpses, (all) => ofSession(all.get(taskId), sessionId)?.lines ?? NO_LINES);

export const useGauges = (taskId: string, sessionId: string | null) =>
  useStore(glimpses, (all) => ofSession(all.get(taskId), sessionId)?.gauges ?? null);

const ofSession = (glimpse: Glimpse | undefined, sessionId: string | null) =>
  glimpse?.sessionId === sessionId ? glimpse : undefined;

/** Heard, and not shown yet: those of many sessions are shown together. */
const heard = new Map<string, Glimpse>();
const TOGETHER_MS = 200;

interface SessionEvent {
  taskId?: string;
  sessionId?: string;
  lines?: string[];
  gauges?: Gauges;
}

/** One `session` event. Those of bells show nothing on the board. */
export function heardOfSession({ taskId, sessionId, lines, gauges }: SessionEvent) {
  if (taskId === undefined || sessionId === undefined || (lines ?? gauges) === undefined) return;
  if (heard.size === 0) setTimeout(showHeard, TOGETHER_MS);
  const before = ofSession(heard.get(taskId) ?? glimpses.get().get(taskId), sessionId);
  heard.set(taskId, {
    sessionId,
    lines: lines ?? before?.lines ?? NO_LINES,
    gauges: gauges ?? before?.gauges ?? null,
  });
}

function showHeard() {
  glimpses.set((all) => new Map([...all, ...heard]));
  heard.clear();
}

/** Whoever was away has missed some: they are told only once. */
export async function fetchGlimpses(): Promise<void> {
  const rows = await unwrap(api.sessions.get());
  const now = new Map<string, Glimpse>();
  for (const { kind, id, taskId, lines, gauges } of rows) {
    if (kind === "agent" && id !== null) now.set(taskId, { sessionId: id, lines, gauges });
  }
  for (const [taskId, glimpse] of heard) {
    const gauges = glimpse.gauges ?? ofSession(now.get(taskId), glimpse.sessionId)?.gauges ?? null;
    now.set(taskId, { ...glimpse, gauges });
  }
  glimpses.set(now);
}
