// What has been chosen and written so far, by question. Pure.

import type { AskQuestion } from "../../../contract.ts";

export type Answers = Record<string, { chosen: string[]; other: string }>;

const none = { chosen: [], other: "" };

/** An option replaces another one, and what was written, unless several may be chosen. */
export function choose({ question, multiple }: AskQuestion, answers: Answers, label: string): Answers {
  const { chosen, other } = answers[question] ?? none;
  if (!multiple) return { ...answers, [question]: { chosen: [label], other: "" } };
  const next = chosen.includes(label) ? chosen.filter((one) => one !== label) : [...chosen, label];
  return { ...answers, [question]: { chosen: next, other } };
}

export function write({ question, multiple }: AskQuestion, answers: Answers, text: string): Answers {
  const { chosen } = answers[question] ?? none;
  return { ...answers, [question]: { chosen: multiple ? chosen : [], other: text } };
}

const all = ({ question, options }: AskQuestion, answers: Answers): string[] => {
  const { chosen, other } = answers[question] ?? none;
  const inOrder = options.map(({ label }) => label).filter((label) => chosen.includes(label));
  return other.trim() === "" ? inOrder : [...inOrder, other.trim()];
};

export const isComplete = (questions: readonly AskQuestion[], answers: Answers) =>
  questions.every((question) => all(question, answers).length > 0);

/** In the form the agent expects: several answers to one question are joined. */
export const toAnswers = (questions: readonly AskQuestion[], answers: Answers): Record<string, string> =>
  Object.fromEntries(questions.map((question) => [question.question, all(question, answers).join(", ")]));
