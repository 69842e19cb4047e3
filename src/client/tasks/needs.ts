// Which tasks need a person.

import { useMemo } from "react";
import { getProjects, getTasks } from "../shared/api/lists.ts";
import type { Task } from "../shared/api/rows.ts";
import { displayStatus, since } from "./display-status.ts";
import { useTasks } from "./tasks.ts";

export const needsPerson = (task: Task) => displayStatus(task).group === "needs";

export function useNeedCount(): number {
  const { tasks } = useTasks();
  return useMemo(() => tasks?.filter(needsPerson).length ?? 0, [tasks]);
}

/** The one that has waited longest comes first. */
export function tasksInNeed(): Task[] {
  const projects = new Set(getProjects().map(({ id }) => id));
  return getTasks()
    .filter((task) => needsPerson(task) && projects.has(task.projectId))
    .sort((a, b) => (since(a) < since(b) ? -1 : 1));
}
