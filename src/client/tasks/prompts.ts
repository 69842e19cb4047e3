// What people have written for an agent and it doesn't have yet, in words. Pure.

import type { QueuedPrompt } from "../../contract.ts";
import type { Task } from "../shared/api/rows.ts";
import { activityOf, isLive, takesPrompt } from "./display-status.ts";

const isSent = ({ state }: QueuedPrompt) => state === "accepted" || state === "typed";

/** What has not arrived, oldest first. */
export const openPrompts = ({ prompts }: Task): readonly QueuedPrompt[] =>
  (prompts ?? []).filter((prompt) => !isSent(prompt));

/** The last one that was sent in this session. */
export const sentPrompt = ({ prompts, sessionId }: Task): QueuedPrompt | undefined =>
  (prompts ?? []).find((prompt) => isSent(prompt) && prompt.sessionId === sessionId);

const isOfThisSession = (task: Task, { sessionId }: QueuedPrompt) =>
  isLive(task) && task.sessionId === sessionId;

/** It doesn't go out by itself. */
export const needsPerson = (task: Task, prompt: QueuedPrompt) =>
  prompt.state === "refused" || prompt.state === "unsure" || !isOfThisSession(task, prompt);

/** How far it has come, and why no further. */
export function promptWords(task: Task, prompt: QueuedPrompt): string {
  const { state, reason } = prompt;
  const because = (words: string) => [words, reason].filter(Boolean).join(" ");
  if (state === "accepted") return "The agent has it.";
  if (state === "typed") return "Typed into its terminal.";
  if (state === "unsure") return because("May have been sent.");
  if (state === "refused") return because("Not sent.");
  if (!isOfThisSession(task, prompt)) return "Not sent: its session has ended.";
  if (state === "typing") return reason ?? "Being typed…";
  return `Queued. ${waitsFor(task, prompt)}`;
}

function waitsFor(task: Task, prompt: QueuedPrompt): string {
  const first = openPrompts(task)[0];
  const activity = activityOf(task);
  if (first !== undefined && first.id !== prompt.id)
    return needsPerson(task, first)
      ? "Decide about the one before it first."
      : "Goes out after the one before it.";
  if (prompt.now !== true && activity?.kind === "working") return "Goes out when the turn is over.";
  if (activity?.held !== undefined) return activity.held;
  if (prompt.reason !== null) return prompt.reason;
  const isStuck = activity?.kind === "limited" || activity?.kind === "trouble";
  return isStuck && prompt.now !== true ? "Goes out once the agent can go on." : "Goes out in a moment.";
}

/** What "send" would do with it; undefined if there is nothing to be done now. */
export function sendWords(task: Task, prompt: QueuedPrompt): string | undefined {
  if (!takesPrompt(task)) return undefined;
  if (prompt.state === "unsure") return "Send again";
  if (needsPerson(task, prompt)) return "Send";
  const isFirst = openPrompts(task)[0]?.id === prompt.id;
  const goesBySelf = isFirst && (prompt.now === true || activityOf(task)?.held !== undefined);
  return prompt.state === "queued" && !goesBySelf ? "Send now" : undefined;
}
