// Puts a session's end into words.

import { STOPPED } from "../../../contract.ts";
import type { ExitRecord } from "../../hosts/end-host.ts";

export interface Outcome {
  ok: boolean;
  /** For people: what happened and, if there is one, the next step. */
  error: string | null;
  code: number | null;
  signal: string | null;
  endedAt: string;
}

const LAST_LINES = 5;
const TERMINATED =
  "The machine or its service manager ended the session. The work is still in the worktree. Resume or retry.";

export function outcomeOf(record: ExitRecord, screenText: string | undefined): Outcome {
  const { code, signal, reason, endedAt } = record;
  const base = { code, signal, endedAt };
  if (reason === "stopped") return { ...base, ok: false, error: STOPPED };
  if (reason === "orphaned") {
    return { ...base, ok: false, error: "Ended because nobody had watched it for PTY_ORPHAN_GRACE_PERIOD." };
  }
  if (reason === "terminated") return { ...base, ok: false, error: TERMINATED };
  if (code === 0) return { ...base, ok: true, error: null };
  const how = signal === null ? `The agent exited with code ${code}.` : `The agent was ended by ${signal}.`;
  return { ...base, ok: false, error: withLastLines(how, screenText) };
}

/** The host disappeared without a record, so nothing else is known. */
export const lost = (error: string): Outcome => ({
  ok: false,
  error,
  code: null,
  signal: null,
  endedAt: new Date().toISOString(),
});

function withLastLines(what: string, screenText: string | undefined): string {
  const lines = lastLines(screenText ?? "", LAST_LINES);
  return lines.length === 0 ? what : `${what}\n${lines.join("\n")}`;
}

/** The last lines of a screen that aren't blank. */
export function lastLines(text: string, count: number): string[] {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .slice(-count);
}
