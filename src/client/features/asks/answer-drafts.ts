// What a person has typed so far for each task's ask. Kept when the panel closes or an answer fails, until the task's
// next ask.

import type { Ask } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { createStore, useStore } from "../../shared/stores/store.ts";
import type { Answers } from "./answers-given.ts";

interface AnswerDraft {
  /** The reason for a denial, as it was sent. */
  reason: string;
  answers: Answers;
}

const NOTHING: AnswerDraft = { reason: "", answers: {} };

/** By task. */
const drafts = createStore<ReadonlyMap<string, AnswerDraft & { askId: string }>>(new Map());

export function answerDraft(task: Task, ask: Ask): AnswerDraft {
  const known = drafts.get().get(task.id);
  return known?.askId === ask.id ? known : NOTHING;
}

export const useAnswerDraft = (task: Task, ask: Ask) => useStore(drafts, () => answerDraft(task, ask));

export const keepAnswerDraft = (task: Task, ask: Ask, typed: Partial<AnswerDraft>) =>
  drafts.set((all) => new Map(all).set(task.id, { ...answerDraft(task, ask), ...typed, askId: ask.id }));
