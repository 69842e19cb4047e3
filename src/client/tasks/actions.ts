// What can be done with a session now, and what each action does, in words. Pure. The server checks again.

import { TRASH_DAYS } from "../../contract.ts";
import type { Task } from "../shared/api/rows.ts";
import { COLUMN_NAMES } from "./column-names.ts";
import { isLive, isNotStarted } from "./display-status.ts";

/** `reopen` undoes `complete`. */
export type SessionAction = "start" | "resume" | "stop" | "retry" | "complete" | "reopen";

export interface AvailableAction {
  action: SessionAction;
  label: string;
  /** A sentence. */
  does: string;
}

/** What the words refer to. */
export interface ActionContext {
  baseBranch: string | null;
  agent: { label: string; canResume: boolean };
}

/** The most likely one first. */
export function availableActions(task: Task, context: ActionContext): AvailableAction[] {
  return possible(task, context).map((action) => ({
    action,
    label: label(task, action),
    does: WORDS[action](task, context),
  }));
}

function possible(task: Task, { agent }: ActionContext): SessionAction[] {
  const { sessionOperation: operation, sessionStatus: status } = task;
  if (operation !== null) return operation === "start" ? ["stop"] : [];
  if (isLive(task)) return ["stop", "complete", "retry"];
  if (isNotStarted(task)) return task.completedFrom === null ? ["start"] : ["reopen", "start"];
  const resume: SessionAction[] = agent.canResume ? ["resume"] : [];
  if (task.status === "done") return ["complete", ...resume, status === null ? "start" : "retry"];
  if (status === null) return [...resume, "start", "complete"];
  return status === "done" ? ["complete", ...resume, "retry"] : [...resume, "retry", "complete"];
}

const NAMES: Record<SessionAction, string> = {
  start: "Start",
  resume: "Resume",
  stop: "Stop",
  retry: "Retry",
  complete: "Complete",
  reopen: "Reopen",
};

/** The action to highlight. On a card in Done that is never to run it again. */
export const isMain = (task: Task, { action }: AvailableAction, index: number) =>
  index === 0 && action !== "stop" && (task.status !== "done" || action === "complete");

/** Agents run only on active tasks: another one moves to Active in the same request. */
export const movesFirst = (task: Task, action: SessionAction) =>
  task.status !== "active" && ["start", "resume", "retry"].includes(action);

const label = (task: Task, action: SessionAction) =>
  movesFirst(task, action) ? `Move to Active and ${NAMES[action].toLowerCase()}` : NAMES[action];

const base = ({ baseBranch }: ActionContext) => baseBranch ?? "the base branch";
const toTrash = `to the trash for ${TRASH_DAYS} days`;
const ending = (task: Task) => (isLive(task) ? "Stops the agent. " : "");

const WORDS: Record<SessionAction, (task: Task, context: ActionContext) => string> = {
  start: (task, context) =>
    task.worktreePath === null
      ? `Starts ${context.agent.label} in its own worktree, on a new branch from ${base(context)}.`
      : `Starts ${context.agent.label} again in the existing worktree.`,
  resume: (_task, { agent }) => `${agent.label} continues where it stopped, in the same worktree.`,
  stop: (_task, { agent }) => `Ends ${agent.label} and everything it started. The worktree stays.`,
  retry: (task, context) =>
    task.worktreePath === null
      ? `${ending(task)}Fresh worktree from ${base(context)}.`
      : `${ending(task)}Fresh worktree from ${base(context)}. This one goes ${toTrash}.`,
  complete: (task) =>
    task.worktreePath === null
      ? `${ending(task)}The card moves to Done.`
      : `${ending(task)}The worktree goes ${toTrash}, the card moves to Done.`,
  reopen: ({ completedFrom }) =>
    `The card goes back to ${COLUMN_NAMES[completedFrom?.status ?? "active"]}${completedFrom?.hadWorktree ? ", with its worktree" : ""}.`,
};
