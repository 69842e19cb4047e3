import { shown, visibleColumn } from "../features/board/board-state.ts";
import { placeOf } from "../features/board/order.ts";
import { focus, focusTask } from "../shared/stores/focus.ts";
import { search } from "../shared/stores/search.ts";
import { followTask, openTask, showPage, showProject, view } from "../shared/stores/view.ts";
import { tasksInNeed } from "../tasks/needs.ts";

/** Goes to the next task that needs a person, whatever the board shows now; opens it where a panel is open anyway. */
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
