// Tells the row of a new task from others of the same title, for when the answer to its creation got lost.

import { getTasks } from "../shared/api/lists.ts";
import type { Task } from "../shared/api/rows.ts";

interface Creation {
  key: string;
  projectId: string;
  title: string;
}

/** For each creation that was sent, by its key, the tasks of that title that were there before. */
const twinsBefore = new Map<string, Set<string>>();

/** False when it was sent before. */
export function noteSent({ key, title }: Creation): boolean {
  if (twinsBefore.has(key)) return false;
  twinsBefore.set(key, new Set(getTasks().flatMap((task) => (task.title === title ? [task.id] : []))));
  return true;
}

export const isCreatedBy =
  ({ key, projectId, title }: Creation) =>
  (task: Task) =>
    task.title === title && task.projectId === projectId && twinsBefore.get(key)?.has(task.id) === false;
