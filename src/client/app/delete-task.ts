import { focusNextTo } from "../features/board/board-state.ts";
import type { Task } from "../shared/api/rows.ts";
import { closeTask, view } from "../shared/stores/view.ts";
import { removeTask } from "../tasks/changes.ts";

export function deleteTask(task: Task) {
  if (!removeTask(task)) return;
  if (view.get().taskId === task.id) closeTask();
  focusNextTo(task.id);
}
