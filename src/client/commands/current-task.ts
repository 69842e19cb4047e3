import { isPlaceholder } from "../api/placeholder.ts";
import { getTaskAsShown, type Task } from "../api/tasks.ts";
import { focus, shown } from "../board/board-state.ts";
import { placeOf } from "../board/order.ts";
import { view } from "../state/view.ts";

/** The open task, wherever it is; else the card with the focus. What is not to be seen is not acted on. */
export function currentTask(): Task | undefined {
  const id = view.get().taskId ?? focusedCard();
  const task = id === null ? undefined : getTaskAsShown(id);
  return task && !isPlaceholder(task) ? task : undefined;
}

function focusedCard(): string | null {
  const { id } = focus.get();
  const isSeen = id !== null && view.get().page === "board" && placeOf(shown.get(), id) !== undefined;
  return isSeen ? id : null;
}
