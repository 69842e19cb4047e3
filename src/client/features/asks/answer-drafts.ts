// What was said so far to the request of each task: it outlives the panel, and an answer that is refused. The task's
// next request takes its place.

import type { Ask } from "../../../contract.ts";
import { createStore, useStore } from "../../shared/stores/store.ts";
import type { Task } from "../../tasks/tasks.ts";
import type { Answers } from "./answers-given.ts";

interface Begun {
  /** A denial's reason, as it was sent. */
  reason: string;
  answers: Answers;
}

const NOTHING: Begun = { reason: "", answers: {} };

/** By task. */
const begun = createStore<ReadonlyMap<string, Begun & { askId: string }>>(new Map());

export function begunFor(task: Task, ask: Ask): Begun {
  const known = begun.get().get(task.id);
  return known?.askId === ask.id ? known : NOTHING;
}

export const useBegun = (task: Task, ask: Ask) => useStore(begun, () => begunFor(task, ask));

export const keepBegun = (task: Task, ask: Ask, said: Partial<Begun>) =>
  begun.set((all) => new Map(all).set(task.id, { ...begunFor(task, ask), ...said, askId: ask.id }));
