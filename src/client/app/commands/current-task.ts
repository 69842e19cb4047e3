import { shown } from "../../features/board/board-state.ts";
import { placeOf } from "../../features/board/order.ts";
import type { Task } from "../../shared/api/rows.ts";
import { focus } from "../../shared/stores/focus.ts";
import { view } from "../../shared/stores/view.ts";
import { isPlaceholder } from "../../tasks/placeholder.ts";
import { getTaskAsShown } from "../../tasks/tasks.ts";

/**
 * The card that holds the keyboard; else the open task; else the card the board's keys were on last. Never a task that
 * is not visible.
 */
export function currentTask(): Task | undefined {
  return taskToActOn(cardWithKeyboard() ?? view.get().taskId ?? lastCard());
}

export function taskToActOn(id: string | null): Task | undefined {
  const task = id === null ? undefined : getTaskAsShown(id);
  return task && !isPlaceholder(task) ? task : undefined;
}

const cardWithKeyboard = () =>
  document.activeElement?.closest<HTMLElement>("[data-card]")?.dataset.card ?? null;

function lastCard(): string | null {
  const { id } = focus.get();
  const isSeen = id !== null && view.get().page === "board" && placeOf(shown.get(), id) !== undefined;
  return isSeen ? id : null;
}
