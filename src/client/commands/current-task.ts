import { isPlaceholder } from "../api/placeholder.ts";
import type { Task } from "../api/tasks.ts";
import { focus, shown } from "../board/board-state.ts";
import { placeOf, taskAt } from "../board/order.ts";
import { view } from "../state/view.ts";

/** The open task, else the card with the focus; what is not to be seen is not acted on. */
export function currentTask(): Task | undefined {
  const { taskId, page } = view.get();
  const id = taskId ?? (page === "board" ? focus.get().id : null);
  const place = id === null ? undefined : placeOf(shown.get(), id);
  const task = place && taskAt(shown.get(), place);
  return task && !isPlaceholder(task) ? task : undefined;
}
