// How long each item took when it last ran: the longest start first, so that all lanes end together.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./items.ts";

const FILE = join(ROOT, ".tools/test-times.json");
/** The first run knows no times, but some take long everywhere: the first that fits counts. */
const GUESSES: [name: RegExp, ms: number][] = [
  [/sessions\/crash-steps/, 80_000],
  [/sessions\/disk|e2e\/(terminal-grid|session-views|claude-states|accessibility)/, 60_000],
  [/sessions\/(model|recovery)|http\/idle|e2e\/terminal-|viewers\/flow|server\/claude\//, 35_000],
  [/e2e\/|types|host\/(screen-exact|survive|mirror-failure)|server\/(main|fuzz|crash)|vt\/flood/, 20_000],
  [/lint|dead code|sessions\/|agents\/claude\.|bin\/banto|routes\//, 10_000],
];
const OTHERWISE_MS = 2_000;

type Times = Record<string, number>;

function readTimes(): Times {
  try {
    return JSON.parse(readFileSync(FILE, "utf8"));
  } catch {
    return {};
  }
}

const guess = (name: string) => GUESSES.find(([pattern]) => pattern.test(name))?.[1] ?? OTHERWISE_MS;

export function longestFirst(names: string[]): string[] {
  const times = readTimes();
  const estimate = (name: string) => times[name] ?? guess(name);
  return names.toSorted((a, b) => estimate(b) - estimate(a));
}

export function rememberTimes(results: { name: string; tookMs: number }[]): void {
  const latest = results.map(({ name, tookMs }) => [name, Math.round(tookMs)]);
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify({ ...readTimes(), ...Object.fromEntries(latest) }, null, 1));
}
