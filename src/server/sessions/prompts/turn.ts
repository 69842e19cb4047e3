// Whose turn it is: when a prompt that waits may go out. Pure.
import type { ActivityKind, QueuedPrompt } from "../../../contract.ts";
import type { Reading } from "../../agents/reading.ts";

/** Nothing is left to do for it: it is a receipt. */
export const isSent = ({ state }: QueuedPrompt) => state === "accepted" || state === "typed";

/** It goes on by itself. What was refused, or nobody knows of, waits for a person, and what is behind it does too. */
export const isWaiting = ({ state }: QueuedPrompt) => state === "queued" || state === "typing";

/** At a limit or in trouble the next prompt would fail as well, and while it works it would join the turn. */
const RESTING: readonly ActivityKind[] = ["idle", "finished", "background"];

/** One that goes on at once with something it has kept for later rests no longer than this. */
const SETTLED_MS = 400;
/** By then an agent has begun with what it was sent, if that gives it anything to do. */
const BEGUN_MS = 10_000;

export function mayGo(
  prompt: QueuedPrompt,
  { intake, kind, since }: Pick<Reading, "intake" | "kind" | "since">,
  before: QueuedPrompt | undefined,
  now: number,
): boolean {
  if (intake !== "open") return false;
  if (prompt.now) return true;
  if (!RESTING.includes(kind) || now - since < SETTLED_MS) return false;
  if (before === undefined || before.sessionId !== prompt.sessionId) return true;
  const sentAt = Date.parse(before.at);
  return since > sentAt || now - sentAt > BEGUN_MS;
}
