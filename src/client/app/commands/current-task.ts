import { shown } from "../../features/board/board-state.ts";
import { placeOf } from "../../features/board/order.ts";
import type { Task } from "../../shared/api/rows.ts";
import { focus } from "../../shared/stores/focus.ts";
import { view } from "../../shared/stores/view.ts";
import { createdFrom } from "../../tasks/creations.ts";
import { isPlaceholder, isPlaceholderId } from "../../tasks/placeholder.ts";
import { getTaskAsShown } from "../../tasks/tasks.ts";

/**
 * The card that has the focus or is about to; otherwise the open task; otherwise the board's last current card. Never a
 * task that is not visible. It may be a placeholder.
 */
export const currentCard = (): string | null =>
  cardWithKeyboard() ?? wantedCard() ?? view.get().taskId ?? lastCard();

export function currentTask(): Task | undefined {
  return taskToActOn(currentCard());
}

export function taskToActOn(id: string | null): Task | undefined {
  const task = id === null ? undefined : getTaskAsShown(createdFrom(id) ?? id);
  return task && !isPlaceholder(task) ? task : undefined;
}

const cardWithKeyboard = () =>
  document.activeElement?.closest<HTMLElement>("[data-card]")?.dataset.card ?? null;

/** Somebody may type faster than a card is drawn. */
function wantedCard(): string | null {
  return focus.get().wanted && document.activeElement === document.body ? lastCard() : null;
}

function lastCard(): string | null {
  const { id } = focus.get();
  if (id === null || view.get().page !== "board") return null;
  return isPlaceholderId(id) || placeOf(shown.get(), id) !== undefined ? id : null;
}
