// What to offer beside the reason when something was not done with a card's agent or worktree. Pure.

import type { ErrorCode } from "../../contract.ts";
import type { Change } from "./change.ts";
import type { NextStep } from "./refusals.ts";

interface Known {
  /** undefined while they are not listed yet. */
  agents: { name: string; available: boolean; canResume: boolean }[] | undefined;
  /** The project's; null if its repository has no commit. */
  baseBranch: string | null | undefined;
}

const STARTS: ReadonlySet<string> = new Set(["start", "resume", "retry"]);

/** undefined where a toast is enough: nobody waits for something that will not come. */
export function nextStep(change: Change, code: ErrorCode | undefined, known: Known): NextStep | undefined {
  if (change.kind !== "session" && change.kind !== "remove") return undefined;
  if (code === "worktree_missing") return "forget";
  if (code === "worktree_locked") return "unlock";
  if (change.kind === "remove") return undefined;
  if (change.action === "complete") return "try-again";
  if (!STARTS.has(change.action)) return undefined;
  if (code !== "invalid") return "try-again";
  const agent = known.agents?.find(({ name }) => name === change.task.agent);
  if (known.agents && !agent?.available) return "choose-agent";
  if (change.action === "resume" && agent?.canResume === false) return "retry";
  return known.baseBranch === null ? "first-commit" : "try-again";
}
