// How long each item took when it last ran: the longest start first, so that all lanes end together.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./items.ts";

const FILE = join(ROOT, ".tools/test-times.json");
/** The first run knows no times: a browser takes long, crashes and floods take longest. */
const LONG = /crash|model|terminal-|hostile/;
const UNKNOWN_MS = { long: 30_000, browser: 15_000, other: 2_000 };

type Times = Record<string, number>;

function readTimes(): Times {
  try {
    return JSON.parse(readFileSync(FILE, "utf8"));
  } catch {
    return {};
  }
}

function guess(name: string): number {
  if (LONG.test(name)) return UNKNOWN_MS.long;
  return name.includes("/e2e/") ? UNKNOWN_MS.browser : UNKNOWN_MS.other;
}

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
