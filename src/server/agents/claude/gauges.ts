// The figures that Claude Code passes to its status line.
import type { Gauges, RateLimit } from "../../../contract.ts";
import { parseObject } from "./hooks.ts";

/** The name under which the status line's figures come. */
export const STATUS = "status";

type Fields = Record<string, unknown>;

const inside = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

const number = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : null);
const line = (value: unknown) => (typeof value === "string" && value !== "" ? value.slice(0, 100) : null);

export interface Status {
  gauges: Gauges;
  sessionId: string | null;
}

export function parseStatus(body: string | null): Status | undefined {
  const said = parseObject(body);
  if (said === undefined) return undefined;
  const limits = inside(said.rate_limits);
  return {
    sessionId: line(said.session_id),
    gauges: {
      model: line(inside(said.model).display_name) ?? line(inside(said.model).id),
      contextPercent: number(inside(said.context_window).used_percentage),
      costUsd: number(inside(said.cost).total_cost_usd),
      fiveHour: rateLimit(limits.five_hour),
      sevenDay: rateLimit(limits.seven_day),
      version: line(said.version),
    },
  };
}

function rateLimit(value: unknown): RateLimit | null {
  const { used_percentage, resets_at } = inside(value);
  const usedPercent = number(used_percentage);
  if (usedPercent === null) return null;
  return { usedPercent, resetsAt: instant(resets_at) };
}

/** Seconds since 1970, or a date as text. */
function instant(value: unknown): string | null {
  const at = typeof value === "number" ? value * 1_000 : Date.parse(String(value));
  return Number.isFinite(at) && Math.abs(at) < 8.64e15 ? new Date(at).toISOString() : null;
}
