// What programs in a terminal say of themselves (OSC 7501), as an activity. Pure, and good for any program that says it.
import type { Program } from "../hosts/connection.ts";
import type { Reading } from "./reading.ts";

export type ProgramActivity = Pick<Reading, "kind" | "reason" | "since">;

const BLOCKED = {
  permission: { kind: "permission", reason: "It's asking for permission. Answer in its terminal." },
  question: { kind: "question", reason: "It has a question. Answer in its terminal." },
  auth: { kind: "trouble", reason: "It is not signed in. Open its terminal and sign in." },
  other: { kind: "question", reason: "It's waiting for you. Look at its terminal." },
} as const;

const FAILED = "It failed. Look at its terminal.";

/** Undefined where nothing was said. What is blocked counts first, in whatever part of the program. */
export function programActivity(reports: readonly Program[]): ProgramActivity | undefined {
  const [blocked] = reports.filter(({ state }) => state === "blocked");
  if (blocked !== undefined) {
    const { kind, reason } = BLOCKED[blocked.kind ?? "other"];
    return { kind, reason: worded(blocked) ?? reason, since: blocked.at };
  }
  const root = reports.find(({ id }) => id === "");
  const parts = reports.filter(({ id }) => id !== "");
  const atWork = parts.filter(({ state }) => state === "working");
  const [said] = root === undefined ? [...atWork, ...parts.toReversed()] : [root];
  if (said === undefined) return undefined;
  const { state, at: since } = said;
  if (state === "error") return { kind: "trouble", reason: worded(said) ?? FAILED, since };
  if (state === "working") return { kind: "working", reason: null, since };
  if (atWork.length > 0) return { kind: "background", reason: stillRunning(atWork), since };
  return { kind: state === "done" ? "finished" : "idle", reason: null, since };
}

/** A part says which one it is. */
const worded = ({ title, message }: Program) =>
  title === null || message === null ? (message ?? title) : `${title}: ${message}`;

const NAMED = 3;

function stillRunning(parts: Program[]): string {
  const names = parts.map((part) => part.title ?? part.message ?? part.id);
  const more = names.length > NAMED ? [`${names.length - NAMED} more`] : [];
  return `Still running: ${[...names.slice(0, NAMED), ...more].join(", ")}.`;
}

/** Whoever was killed says no goodbye: a shell that prompts since then knows better. */
export const isLeftOver = (reports: readonly Program[], promptSince: number) =>
  reports.every(({ state, at }) => (state === "working" || state === "blocked") && at < promptSince);
