import type { Gauges } from "../../../contract.ts";
import type { Report } from "./report.ts";

/** OpenCode doesn't know of a subscription's limits. */
export function gaugesOf({ model, contextTokens, contextLimit, cost, version }: Report): Gauges {
  const isKnown = contextTokens !== null && contextLimit !== null && contextLimit > 0;
  return {
    model: model?.slice(model.indexOf("/") + 1, 100) ?? null,
    contextPercent: isKnown ? Math.min(100, Math.round((contextTokens / contextLimit) * 1_000) / 10) : null,
    costUsd: cost,
    fiveHour: null,
    sevenDay: null,
    version,
  };
}
