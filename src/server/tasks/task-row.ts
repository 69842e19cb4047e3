import { join, relative } from "node:path";
import type { tasks } from "../../db/schema.ts";

export type StoredTask = typeof tasks.$inferSelect;

/** A task as everything outside the database sees it: with the absolute path of its worktree. */
export interface TaskRow extends Omit<StoredTask, "worktree"> {
  worktreePath: string | null;
}

export const readTask =
  (root: string) =>
  ({ worktree, ...row }: StoredTask): TaskRow => ({
    ...row,
    worktreePath: worktree === null ? null : join(root, worktree),
  });

/** For the database. */
export function storedTask<Columns extends Partial<TaskRow>>(root: string, columns: Columns) {
  const { worktreePath, ...rest } = columns;
  if (worktreePath === undefined) return rest;
  return { ...rest, worktree: worktreePath === null ? null : relative(root, worktreePath) };
}
