import type { Gauges } from "../../../contract.ts";
import type { Transcript } from "./transcript.ts";

/** Gemini doesn't say how much its models take; all of this name take a million tokens. */
const CONTEXT = 1_048_576;

export const gaugesOf = ({ model, contextTokens }: Transcript): Gauges => ({
  model: model?.slice(0, 100) ?? null,
  contextPercent:
    contextTokens !== null && model?.startsWith("gemini-")
      ? Math.min(100, Math.round((contextTokens / CONTEXT) * 1_000) / 10)
      : null,
  costUsd: null,
  fiveHour: null,
  sevenDay: null,
  version: null,
});
