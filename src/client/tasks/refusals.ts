// Why something was not done with a card's agent or worktree, shown on the card until somebody deals with it. Kept in the
// browser: nothing changed on the server.

import type { Task } from "../shared/api/rows.ts";
import { createStore, useStore } from "../shared/stores/store.ts";
import type { SessionChange } from "./change.ts";

export type NextStep = "try-again" | "choose-agent" | "retry" | "first-commit" | "forget" | "unlock";

export interface Refusal {
  action: SessionChange["action"] | "delete";
  reason: string;
  next: NextStep;
  /** As they were then. If one has changed since, the refusal no longer applies. */
  sessionId: string | null;
  agent: string;
}

const KEY = "banto.refused";
const MOST = 50;

type Refusals = ReadonlyMap<string, Refusal>;

/** By task. */
const refusals = createStore<Refusals>(recall());

refusals.subscribe(() => {
  try {
    localStorage.setItem(KEY, JSON.stringify([...refusals.get()]));
  } catch {
    // The storage is full: kept only while the page is open.
  }
});

export function noteRefusal(taskId: string, refusal: Refusal) {
  forgetRefusal(taskId);
  refusals.set((all) => new Map([...all, [taskId, refusal] as const].slice(-MOST)));
}

export function forgetRefusal(taskId: string) {
  if (!refusals.get().has(taskId)) return;
  refusals.set((all) => new Map([...all].filter(([id]) => id !== taskId)));
}

export const useRefusal = (task: Task): Refusal | undefined => {
  const refusal = useStore(refusals, (all) => all.get(task.id));
  return refusal && stands(refusal, task) ? refusal : undefined;
};

export const stands = (refusal: Refusal, task: Task) =>
  task.sessionOperation === null &&
  task.sessionId === refusal.sessionId &&
  task.agent === refusal.agent &&
  (task.worktreePath !== null || (refusal.next !== "forget" && refusal.action !== "complete"));

function recall(): Refusals {
  try {
    return readRefusals(localStorage.getItem(KEY));
  } catch {
    return new Map();
  }
}

/** The text may be an older page's, or something else entirely. */
export function readRefusals(saved: string | null): Refusals {
  const entries: unknown = JSON.parse(saved ?? "[]");
  return new Map(Array.isArray(entries) ? entries.filter(isEntry) : []);
}

function isEntry(entry: unknown): entry is [string, Refusal] {
  return Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1]?.reason === "string";
}
