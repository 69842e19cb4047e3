// What can be done to a session now, and what each thing will do, in words. Pure; the server decides again.

import { TRASH_DAYS } from "../../contract.ts";
import { hasNothing, isLive } from "./display-status.ts";
import type { Task } from "./tasks.ts";

export type SessionAction = "start" | "resume" | "stop" | "retry" | "complete";

export interface Offer {
  action: SessionAction;
  label: string;
  /** A sentence. */
  does: string;
}

/** What the words speak of. */
export interface Surroundings {
  baseBranch: string | null;
  agent: { label: string; canResume: boolean };
}

/** The likeliest first. */
export function offersFor(task: Task, around: Surroundings): Offer[] {
  return possible(task, around).map((action) => ({
    action,
    label: label(task, action),
    does: WORDS[action](task, around),
  }));
}

function possible(task: Task, { agent }: Surroundings): SessionAction[] {
  const { sessionOperation: operation, sessionStatus: status } = task;
  if (operation !== null) return operation === "start" ? ["stop"] : [];
  if (isLive(task)) return ["stop", "complete", "retry"];
  if (hasNothing(task)) return ["start"];
  const resume: SessionAction[] = agent.canResume ? ["resume"] : [];
  if (status === null) return [...resume, "start", "complete"];
  return status === "done" ? ["complete", ...resume, "retry"] : [...resume, "retry", "complete"];
}

const NAMES: Record<SessionAction, string> = {
  start: "Start",
  resume: "Resume",
  stop: "Stop",
  retry: "Retry",
  complete: "Complete",
};

/** An agent runs only on an active task; the rest moves there first, in one go. */
export const movesFirst = (task: Task, action: SessionAction) =>
  task.status !== "active" && ["start", "resume", "retry"].includes(action);

const label = (task: Task, action: SessionAction) =>
  movesFirst(task, action) ? `Move to Active and ${NAMES[action].toLowerCase()}` : NAMES[action];

const base = ({ baseBranch }: Surroundings) => baseBranch ?? "the base branch";
const toTrash = `to the trash for ${TRASH_DAYS} days`;
const ending = (task: Task) => (isLive(task) ? "Stops the agent. " : "");

const WORDS: Record<SessionAction, (task: Task, around: Surroundings) => string> = {
  start: (task, around) =>
    task.worktreePath === null
      ? `${around.agent.label} begins in a worktree of its own, on a new branch from ${base(around)}.`
      : `${around.agent.label} begins anew in the worktree that is there.`,
  resume: (_task, { agent }) => `${agent.label} goes on where it stopped, in the same worktree.`,
  stop: (_task, { agent }) => `${agent.label} ends, with everything it started; the worktree stays.`,
  retry: (task, around) =>
    task.worktreePath === null
      ? `${ending(task)}Fresh worktree from ${base(around)}.`
      : `${ending(task)}Fresh worktree from ${base(around)}; this one goes ${toTrash}.`,
  complete: (task) =>
    task.worktreePath === null
      ? `${ending(task)}The card moves to Done.`
      : `${ending(task)}The worktree goes ${toTrash}, the branch stays, the card moves to Done.`,
};
