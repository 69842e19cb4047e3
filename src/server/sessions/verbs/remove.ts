import type { TaskRow } from "../../tasks/tasks.ts";
import { archiveDetail } from "../operations/archive.ts";
import type { Change } from "../store.ts";
import type { VerbParts } from "./parts.ts";

/** Hides the task; its worktree goes to the trash. */
export function removeTask(parts: VerbParts, taskId: string): Promise<TaskRow> {
  const { tasks, operations } = parts;
  const deletedAt = new Date().toISOString();
  return operations.whenFree(taskId, () => putAway(parts, tasks.get(taskId).id, { deletedAt }));
}

/** Puts away the worktrees of tasks that are deleted, alone or with their project. */
export function putAwayDeleted(parts: VerbParts): void {
  const { rows, operations, log } = parts;
  for (const taskId of rows.hiddenWithWorktree()) {
    operations
      .whenFree(taskId, () => putAway(parts, taskId))
      .catch((error) => log.error(`putting ${taskId} away`, error));
  }
}

/** Nobody waits for it, and it survives a crash. */
function putAway(
  { rows, operations, checkpoint }: VerbParts,
  taskId: string,
  columns: Change["columns"] = {},
): TaskRow {
  const task = rows.accept(taskId, { type: "remove" }, () => ({
    columns,
    detail: { ...archiveDetail("delete") },
  }));
  checkpoint("remove:accepted");
  operations.begin(taskId);
  return task;
}
