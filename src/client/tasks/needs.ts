// Who waits for a person, and the way from one to the next.

import { useMemo } from "react";
import { focus, focusTask, search, shown, visibleColumn } from "../features/board/board-state.ts";
import { placeOf } from "../features/board/order.ts";
import { PROJECTS, queryClient, TASKS } from "../shared/api/client.ts";
import type { Project } from "../shared/api/projects.ts";
import { followTask, openTask, showPage, showProject, view } from "../shared/stores/view.ts";
import { since, standingOf } from "./display-status.ts";
import { type Task, useTasks } from "./tasks.ts";

/** Oldest first. */
const needy = (tasks: readonly Task[]) =>
  tasks.filter((task) => standingOf(task).group === "needs").sort((a, b) => (since(a) < since(b) ? -1 : 1));

export function useNeedyCount(): number {
  const { tasks } = useTasks();
  return useMemo(() => needy(tasks ?? []).length, [tasks]);
}

const known = () => {
  const names = new Set(queryClient.getQueryData<Project[]>(PROJECTS)?.map(({ id }) => id));
  return needy(queryClient.getQueryData<Task[]>(TASKS) ?? []).filter(({ projectId }) => names.has(projectId));
};

export const isAnyoneNeedy = () => known().length > 0;

/** Goes to the next one that needs a person, whatever the board shows now; opens it where a panel is open anyway. */
export function goToNextNeedy({ isOpening = false } = {}) {
  const waiting = known();
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
