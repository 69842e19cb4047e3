import type { ProjectRow } from "../../projects/projects.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import { archiveDetail } from "../operations/archive.ts";
import type { Change } from "../store.ts";
import { requireWorktreeThere } from "../worktree-there.ts";
import type { VerbParts } from "./parts.ts";

/** Deletes the task and archives its worktree. */
export function removeTask(parts: VerbParts, taskId: string): Promise<TaskRow> {
  const { tasks, operations } = parts;
  const deletedAt = new Date().toISOString();
  return operations.whenFree(taskId, () => putAway(parts, tasks.get(taskId).id, { deletedAt }));
}

/** Removes the project from the board and archives its tasks' worktrees. */
export function removeProject(parts: VerbParts, projectId: string): ProjectRow {
  for (const id of parts.rows.ofProject(projectId)) {
    parts.unknown.requireNone(id);
    const task = parts.rows.require(id);
    requireWorktreeThere(task, `The worktree of ${JSON.stringify(task.title)}`);
  }
  const project = parts.projects.remove(projectId);
  putAwayDeleted(parts);
  return project;
}

/** Archives the worktrees of tasks that were deleted, alone or with their project. */
export function putAwayDeleted(parts: VerbParts): void {
  const { rows, operations, log } = parts;
  for (const taskId of rows.hiddenWithWorktree()) {
    operations
      .whenFree(taskId, () => putAway(parts, taskId))
      .catch((error) => log.error(`putting ${taskId} away`, error));
  }
}

/** Runs in the background and survives a crash. */
function putAway(
  { rows, operations, unknown, checkpoint }: VerbParts,
  taskId: string,
  columns: Change["columns"] = {},
): TaskRow {
  unknown.requireNone(taskId);
  const task = rows.accept(taskId, { type: "remove" }, (row) => {
    requireWorktreeThere(row);
    return { columns, detail: { ...archiveDetail("delete") } };
  });
  checkpoint("remove:accepted");
  operations.begin(taskId);
  return task;
}
