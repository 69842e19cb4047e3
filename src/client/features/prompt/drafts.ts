// The unfinished next prompt of each task, kept in the browser so that a reload loses nothing.

import { createStore, useStore } from "../../shared/stores/store.ts";

const key = (taskId: string) => `banto.prompt.${taskId}`;

/** By task. What isn't here may still be in local storage. */
const drafts = createStore<ReadonlyMap<string, string>>(new Map());

export const getDraft = (taskId: string) =>
  drafts.get().get(taskId) ?? localStorage.getItem(key(taskId)) ?? "";

export const useDraft = (taskId: string) => useStore(drafts, () => getDraft(taskId));

export function setDraft(taskId: string, text: string) {
  drafts.set((all) => new Map(all).set(taskId, text));
  try {
    if (text === "") localStorage.removeItem(key(taskId));
    else localStorage.setItem(key(taskId), text);
  } catch {
    // The storage is full: kept only while the page is open.
  }
}

/** Another tab typed. */
window.addEventListener("storage", (event) => {
  const taskId = event.key?.startsWith(key("")) ? event.key.slice(key("").length) : undefined;
  if (taskId !== undefined) drafts.set((all) => new Map(all).set(taskId, event.newValue ?? ""));
});
