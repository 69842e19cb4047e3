// What was found out about a version of an agent, and where that and what was heard of it are kept.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentName, PINNED } from "../../bin/lib/agent-programs.ts";
import { packTakes, type Take, unpackTakes } from "./trace.ts";

/** What a version tells of itself, or lets others do. */
export const CAPABILITIES = [
  "OSC 7501",
  "own state",
  "hooks",
  "answers from the card",
  "prompts told",
  "resume",
  "figures",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

export interface Result {
  scenario: string;
  is: "right" | "wrong" | "unknown";
  /** From the terminal to the card, in milliseconds. */
  ms: number | null;
  /** What was wrong. */
  why?: string;
}

export interface VariantResults {
  variant: string;
  results: Result[];
  capabilities: Capability[];
}

export interface VersionResults {
  agent: AgentName;
  version: string;
  variants: VariantResults[];
}

const TRACES = join(import.meta.dir, "traces");
const RESULTS = "results.json";
const TAKES = ".takes.json.gz";

const folderOf = (agent: AgentName, version: string) => join(TRACES, agent, version);

/** In the order in which they are pinned; versions that are no more come first. */
export function allResults(): VersionResults[] {
  const found = [...new Bun.Glob(`*/*/${RESULTS}`).scanSync(TRACES)].sort();
  const agents = Object.keys(PINNED);
  return found
    .map((file): VersionResults => JSON.parse(readFileSync(join(TRACES, file), "utf8")))
    .toSorted(
      (a, b) => agents.indexOf(a.agent) - agents.indexOf(b.agent) || Bun.semver.order(a.version, b.version),
    );
}

export function allTakes(): { agent: AgentName; version: string; variant: string; take: Take }[] {
  return [...new Bun.Glob(`*/*/*${TAKES}`).scanSync(TRACES)].sort().flatMap((file) => {
    const [agent = "", version = "", name = ""] = file.split("/");
    const takes = unpackTakes(readFileSync(join(TRACES, file)));
    const variant = name.replace(TAKES, "");
    return takes.map((take) => ({ agent: agent as AgentName, version, variant, take }));
  });
}

/** Takes the place of what was known of these variants; others of the version stay. */
export function writeResults(
  { agent, version, variants }: VersionResults,
  takes: Take[],
  known: readonly string[],
): void {
  const folder = folderOf(agent, version);
  mkdirSync(folder, { recursive: true });
  const before = allResults().find((one) => one.agent === agent && one.version === version)?.variants ?? [];
  const all = [...before, ...variants].filter(({ variant }, i, list) => {
    return known.includes(variant) && list.findLastIndex((one) => one.variant === variant) === i;
  });
  const inOrder = known.flatMap((label) => all.find(({ variant }) => variant === label) ?? []);
  const results: VersionResults = { agent, version, variants: inOrder };
  const short = (name: string, value: unknown) => (name === "why" ? String(value).split("\n")[0] : value);
  writeFileSync(join(folder, RESULTS), `${JSON.stringify(results, short, 1)}\n`);
  for (const { variant } of variants) writeFileSync(join(folder, fileOf(variant)), packTakes(takes));
  const names = known.map(fileOf);
  for (const name of readdirSync(folder))
    if (name !== RESULTS && !names.includes(name)) rmSync(join(folder, name));
}

const fileOf = (variant: string) => `${variant.replaceAll(/\W+/g, "-")}${TAKES}`;
