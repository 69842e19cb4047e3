// The event about a new task can arrive before the answer to the tab that created it. Until the answer comes, the card
// is the placeholder, and what is done to it waits for the task's id.

import { getTasks } from "../shared/api/lists.ts";
import type { Task } from "../shared/api/rows.ts";

interface Creation {
  projectId: string;
}

/** For each creation being sent, the tasks that existed when it was first sent. */
const tasksBefore = new WeakMap<Creation, ReadonlySet<string>>();

export function noteSent(creation: Creation) {
  if (!tasksBefore.has(creation)) tasksBefore.set(creation, new Set(getTasks().map(({ id }) => id)));
}

export const mayBeCreatedBy = (creation: Creation, { id, projectId }: Task) =>
  projectId === creation.projectId && tasksBefore.get(creation)?.has(id) === false;

const ids = new Map<string, string>();
const made = new Map<string, Promise<Task | undefined>>();

/** The task that came of a placeholder, by the placeholder's id. */
export const createdFrom = (key: string) => ids.get(key);
export const noteCreated = (key: string, { id }: Task) => ids.set(key, id);

/** Resolves once the task has replaced its placeholder; with undefined if it was refused. */
export const whenCreated = async (key: string): Promise<Task | undefined> => made.get(key);
export const noteOnItsWay = (key: string, task: Promise<Task | undefined>) => made.set(key, task);
