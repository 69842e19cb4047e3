import { DomainError } from "../../errors.ts";
import { readWork, type Work } from "../../git/work/work.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import type { SessionParts } from "../parts.ts";

/** What completing a task would archive. */
export function workOf({ rows }: Pick<SessionParts, "rows">, task: TaskRow): Promise<Work> {
  const { projectId, worktreePath: path } = task;
  if (path === null) throw new DomainError("not_found", "The task has no worktree.");
  const { path: repository, baseBranch: base } = rows.project(projectId);
  return readWork({ repository, path, base });
}
