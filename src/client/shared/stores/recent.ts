// What was used last in this browser, so that it is found first.

import { view } from "./view.ts";

const KEY = "banto.recent";
const MOST = 50;

export const recentTask = (id: string) => `task:${id}`;
export const recentProject = (id: string) => `project:${id}`;

/** The last one first. */
export function recentIds(): string[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(saved) ? saved.filter((id) => typeof id === "string") : [];
  } catch {
    return []; // written by something else
  }
}

export function noteUsed(id: string) {
  const others = recentIds().filter((each) => each !== id);
  try {
    localStorage.setItem(KEY, JSON.stringify([id, ...others].slice(0, MOST)));
  } catch {
    // No room: what comes first is no matter of life and death.
  }
}

let { taskId, projectId } = view.get();

view.subscribe(() => {
  const now = view.get();
  if (now.taskId !== null && now.taskId !== taskId) noteUsed(recentTask(now.taskId));
  if (now.projectId !== null && now.projectId !== projectId) noteUsed(recentProject(now.projectId));
  ({ taskId, projectId } = now);
});
