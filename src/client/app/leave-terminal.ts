// Moves the focus out of a terminal in the panel.

import { shown } from "../features/board/board-state.ts";
import { placeOf } from "../features/board/order.ts";
import { focusTask } from "../shared/stores/focus.ts";
import { view } from "../shared/stores/view.ts";

const hasRoom = window.matchMedia("(min-width: 1024px)");

const panel = () => document.querySelector<HTMLElement>("[data-panel]");

/** Back to the card; or, if no board is visible, to the panel, where the same shortcuts work. */
export function leaveTerminal(taskId: string) {
  panel()?.focus();
  const { page, isFullScreen } = view.get();
  if (page !== "board" || isFullScreen || !hasRoom.matches) return;
  if (placeOf(shown.get(), taskId) !== undefined) focusTask(taskId);
}
