import { statSync } from "node:fs";
import { DomainError } from "../errors.ts";
import type { TaskRow } from "../tasks/task-row.ts";

const isThere = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Throws if the worktree is missing: it can't be archived or worked in, and nobody may claim that it was. */
export function requireWorktreeThere({
  worktreePath,
  branch,
}: Pick<TaskRow, "worktreePath" | "branch">): void {
  if (worktreePath === null || isThere(worktreePath)) return;
  throw new DomainError(
    "worktree_missing",
    `The task's worktree is missing from ${worktreePath}, so nothing was done. Put it back and try again. If it is gone for good, forget it: commits are still on the branch ${branch}.`,
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
