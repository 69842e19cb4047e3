// The event about a new task can be faster than the answer to the tab that made it: until then its card is the placeholder.

import { getTasks } from "../shared/api/lists.ts";
import type { Task } from "../shared/api/rows.ts";

interface Creation {
  projectId: string;
}

/** For each creation on its way, the tasks there were when it was first sent. */
const tasksBefore = new WeakMap<Creation, ReadonlySet<string>>();

export function noteSent(creation: Creation) {
  if (!tasksBefore.has(creation)) tasksBefore.set(creation, new Set(getTasks().map(({ id }) => id)));
}

export const mayBeCreatedBy = (creation: Creation, { id, projectId }: Task) =>
  projectId === creation.projectId && tasksBefore.get(creation)?.has(id) === false;
