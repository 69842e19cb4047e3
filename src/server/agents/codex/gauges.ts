// An agent's figures from what the app-server tells of tokens and limits. What it leaves out stays as it was.
import type { Gauges, RateLimit } from "../../../contract.ts";
import { type Fields, fields, instant, number } from "./protocol.ts";

export const NO_GAUGES: Gauges = {
  model: null,
  contextPercent: null,
  costUsd: null,
  fiveHour: null,
  sevenDay: null,
  version: null,
};

const DAY_MINUTES = 1_440;

export function withTokens(gauges: Gauges, usage: Fields): Gauges {
  const used = number(fields(usage.last).totalTokens);
  const room = number(usage.modelContextWindow);
  // After a failure it says zero, of a context that is still there.
  if (!used || !room) return gauges;
  return { ...gauges, contextPercent: Math.min(100, (used / room) * 100) };
}

export function withLimits(gauges: Gauges, { primary, secondary }: Fields): Gauges {
  const known = { ...gauges };
  for (const window of [fields(primary), fields(secondary)]) {
    const limit = limitOf(window);
    const minutes = number(window.windowDurationMins);
    if (limit !== null && minutes !== null) known[minutes < DAY_MINUTES ? "fiveHour" : "sevenDay"] = limit;
  }
  return known;
}

function limitOf(window: Fields): RateLimit | null {
  const usedPercent = number(window.usedPercent);
  return usedPercent === null ? null : { usedPercent, resetsAt: instant(window.resetsAt) };
}

const FULL = 99;

/** When all limits that are used up have been renewed. */
export function renewedAt({ fiveHour, sevenDay }: Gauges): string | null {
  const full = [fiveHour, sevenDay].filter((limit) => (limit?.usedPercent ?? 0) >= FULL);
  return (
    full
      .map((limit) => limit?.resetsAt ?? "")
      .toSorted()
      .at(-1) || null
  );
}
