import { readdirSync } from "node:fs";
import { DomainError } from "../errors.ts";
import type { TaskRow } from "../tasks/task-row.ts";

/** An empty folder is not it: there would be nothing to archive. */
function isThere(path: string): boolean {
  try {
    return readdirSync(path).length > 0;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    return true; // what can't be read is there
  }
}

/** Throws if the worktree is missing: it can't be archived or worked in, and nobody may claim that it was. */
export function requireWorktreeThere(
  { worktreePath, branch }: Pick<TaskRow, "worktreePath" | "branch">,
  what = "The task's worktree",
): void {
  if (worktreePath === null || isThere(worktreePath)) return;
  throw new DomainError(
    "worktree_missing",
    `${what} is missing from ${worktreePath}, so nothing was done. Put it back and try again. If it is gone for good, forget it: commits are still on the branch ${branch}.`,
  );
}

export function requireWorktreeMissing({ worktreePath }: TaskRow): void {
  if (worktreePath === null) throw new DomainError("conflict", "The task has no worktree.");
  if (!isThere(worktreePath)) return;
  throw new DomainError(
    "conflict",
    `The task's worktree is still at ${worktreePath}. To archive it, complete or delete the task.`,
  );
}
