import { shown, visibleColumn } from "../features/board/board-state.ts";
import { placeOf } from "../features/board/order.ts";
import { focus, focusTask } from "../shared/stores/focus.ts";
import { isNarrow } from "../shared/stores/narrow.ts";
import { search } from "../shared/stores/search.ts";
import { followTask, openTask, showPage, showProject, view } from "../shared/stores/view.ts";
import { tasksInNeed } from "../tasks/needs.ts";

/** In a narrow window, the page opens on a task that needs the person. */
export function beginWithNeed() {
  const { page, taskId } = view.get();
  if (isNarrow.get() && page === "board" && taskId === null) goToNextNeed({ isOpening: true });
}

/** Goes to the next task that needs a person, whatever the board shows now. Opens it if a panel is open already. */
export function goToNextNeed({ isOpening = false } = {}) {
  const waiting = tasksInNeed();
  const current = view.get().taskId ?? focus.get().id;
  const next = waiting[(waiting.findIndex(({ id }) => id === current) + 1) % waiting.length];
  if (next === undefined) return;
  const wasOpen = view.get().taskId !== null;
  if (view.get().page !== "board") showPage("board");
  if (placeOf(shown.get(), next.id) === undefined) {
    showProject(null);
    search.set("");
  }
  visibleColumn.set("active");
  focusTask(next.id);
  if (isOpening) openTask(next.id);
  else if (wasOpen) followTask(next.id);
}
