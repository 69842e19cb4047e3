// What is typed into a task's fields, until the server has it. It survives closing the panel. What the server refused
// survives a reload as well, and so does signing in again.

import { createStore, useStore } from "../shared/stores/store.ts";
import type { OnTried } from "./change.ts";

interface Draft {
  text: string;
  state: "typed" | "sent" | "refused";
}

const KEY = "banto.unsaved";

export const titleOf = (taskId: string) => `${taskId} title`;
export const descriptionOf = (taskId: string) => `${taskId} description`;

/** By field. */
const drafts = createStore<ReadonlyMap<string, Draft>>(recall());

export const getDraft = (field: string) => drafts.get().get(field);
export const useDraft = (field: string) => useStore(drafts, () => getDraft(field));

const put = (field: string, draft: Draft) => drafts.set((all) => new Map(all).set(field, draft));

export const typeDraft = (field: string, text: string) => put(field, { text, state: "typed" });

export const dropDraft = (field: string) =>
  drafts.set((all) => new Map([...all].filter(([each]) => each !== field)));

/** The person may have typed something else by the time `send` is done. */
export function sendDraft(field: string, text: string, send: (onTried: OnTried) => void) {
  put(field, { text, state: "sent" });
  send((isSaved) => {
    if (getDraft(field)?.text !== text) return;
    if (isSaved) dropDraft(field);
    else put(field, { text, state: "refused" });
  });
}

function recall(): Map<string, Draft> {
  const kept: [string, string][] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  return new Map(kept.map(([field, text]) => [field, { text, state: "refused" }]));
}

drafts.subscribe(() => {
  const refused = [...drafts.get()].filter(([, { state }]) => state === "refused");
  try {
    sessionStorage.setItem(KEY, JSON.stringify(refused.map(([field, { text }]) => [field, text])));
  } catch {
    // The storage is full: kept only while the page is open.
  }
});
