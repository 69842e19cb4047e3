// An agent's figures in words. Pure.

import type { Gauges, RateLimit } from "../../contract.ts";

/** Limits are shown once this much is used. */
const NEAR_PERCENT = 75;
/** Claude compacts the conversation soon after this. */
const FULL_PERCENT = 80;

export const percent = (value: number) => `${Math.round(value)}%`;

/** `<$0.01`, `$0.41`, `$12.30`, `$1,204`. */
export function usd(value: number): string {
  if (value > 0 && value < 0.01) return "<$0.01";
  return value < 1_000 ? `$${value.toFixed(2)}` : `$${Math.round(value).toLocaleString("en")}`;
}

export const isNearlyFull = ({ contextPercent }: Gauges) => (contextPercent ?? 0) >= FULL_PERCENT;

export interface NamedLimit extends RateLimit {
  /** `5 h`, `week`. */
  name: string;
}

export const limitsOf = ({ fiveHour, sevenDay }: Gauges): NamedLimit[] => [
  ...(fiveHour === null ? [] : [{ name: "5 h", ...fiveHour }]),
  ...(sevenDay === null ? [] : [{ name: "week", ...sevenDay }]),
];

/** The limit that is closest to being reached, if any is near. */
export const pressingLimit = (gauges: Gauges): NamedLimit | undefined =>
  limitsOf(gauges)
    .filter(({ usedPercent }) => usedPercent >= NEAR_PERCENT)
    .toSorted((a, b) => b.usedPercent - a.usedPercent)[0];

/** `15:40` today, else with the day. */
export function clock(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const time = at.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  if (at.toDateString() === now.toDateString()) return time;
  return `${at.toLocaleDateString(undefined, { weekday: "short", day: "numeric", month: "short" })} ${time}`;
}

/** Everything known, on one line. */
export function describe(gauges: Gauges): string {
  const { model, contextPercent, costUsd } = gauges;
  const parts = [
    model,
    contextPercent !== null && `context ${percent(contextPercent)} full`,
    costUsd !== null && `${usd(costUsd)} so far`,
    ...limitsOf(gauges).map(
      ({ name, usedPercent, resetsAt }) =>
        `${name} limit ${percent(usedPercent)} used${resetsAt === null ? "" : `, resets ${clock(resetsAt)}`}`,
    ),
  ];
  return parts.filter(Boolean).join(" · ");
}
