// Toasts about the outcome of a person's changes: where things are now, or what failed and what to do next.

import { TRASH_DAYS } from "../../contract.ts";
import { knownAgents } from "../shared/api/agents.ts";
import { ApiError, isSignOut } from "../shared/api/client.ts";
import { getProjects } from "../shared/api/lists.ts";
import type { Task } from "../shared/api/rows.ts";
import { openTab } from "../shared/stores/tabs.ts";
import { openTask, view } from "../shared/stores/view.ts";
import { announce } from "../shared/ui/announcer.tsx";
import { showError, showToast, showUndoable } from "../shared/ui/toast.tsx";
import type { Change, SessionChange } from "../tasks/change.ts";
import { isConflict, type Outcome, restoreTask, runAction } from "../tasks/changes.ts";
import { isLive } from "../tasks/display-status.ts";
import { undoneWords } from "../tasks/inverse.ts";
import { nextStep } from "../tasks/next-step.ts";
import { perform } from "../tasks/perform.ts";
import { forgetRefusal, noteRefusal, type Refusal, stands } from "../tasks/refusals.ts";
import { getTask } from "../tasks/tasks.ts";
import type { Undone } from "../tasks/undo-update.ts";
import { afterCompleting } from "../tasks/work.ts";

type Failure = Extract<Outcome, { kind: "failed" }>;

export function showOutcome(outcome: Outcome) {
  if (outcome.kind === "failed") showFailure(outcome);
  else if (outcome.kind === "undone") showUndone(outcome.undone);
  else if (outcome.kind === "still-running") showStillRunning(outcome.task, outcome.action);
  else if (outcome.kind === "sent" && outcome.change.kind === "session")
    forgetRefusal(outcome.change.task.id);
  else if (outcome.kind === "sent" && outcome.change.kind === "remove") showRemoved(outcome.change);
  else if (outcome.kind === "done" && outcome.change.kind === "session") showDone(outcome.change);
}

const CARD_KEPT = `It stays in the trash for ${TRASH_DAYS} days.`;
const WORKTREE_KEPT = `Its worktree stays in the trash for ${TRASH_DAYS} days.`;

function showUndone(undone: Undone) {
  if (undone.isDone) showToast({ title: "Undone", detail: undoneWords(undone.task, undone.patch) });
  else {
    showToast({
      title: "Couldn't undo",
      detail: `“${undone.task.title}” has been changed since, here or in another window.`,
      isError: true,
    });
  }
}

/** For each removal, a function that withdraws its toast. */
const withdrawals = new WeakMap<Change, () => void>();

function showRemoved(change: Extract<Change, { kind: "remove" }>) {
  const { task } = change;
  const detail = `${task.title}. ${task.worktreePath === null ? CARD_KEPT : WORKTREE_KEPT}`;
  const withdraw = showUndoable({ title: "Task deleted", detail }, () => restoreTask(task));
  withdrawals.set(change, withdraw);
}

/** Starting and stopping show on the card. Only what removes something needs a toast. */
function showDone({ action, task, work, commit }: SessionChange) {
  const hadWorktree = task.worktreePath !== null;
  if (action === "complete") {
    // A running agent went on until it was stopped: what it had done when it was looked at may not be all.
    const known = isLive(task) ? undefined : work;
    const detail = hadWorktree ? afterCompleting(known, commit) : task.title;
    showUndoable({ title: "Completed", detail }, () => runAction(task, "reopen"));
  } else if (action === "retry" && hadWorktree) {
    showToast({
      title: "Retrying in a fresh worktree",
      detail: `The previous one stays in the trash for ${TRASH_DAYS} days.`,
      action: { label: "History", run: () => openTab(task.id, "history") },
    });
  }
}

const FAILURES: Record<Exclude<Change["kind"], "session"> | SessionChange["action"], string> = {
  create: "Couldn't create the task",
  update: "Couldn't save the change",
  remove: "Couldn't delete the task",
  restore: "Couldn't restore the task",
  answer: "Couldn't send the answer",
  start: "Couldn't start",
  resume: "Couldn't resume",
  stop: "Couldn't stop",
  retry: "Couldn't retry",
  complete: "Couldn't complete",
  reopen: "Couldn't reopen",
  forget: "Couldn't forget the worktree",
};

function showFailure(failure: Failure) {
  const { change, error, retry } = failure;
  withdrawals.get(change)?.();
  if (change.kind === "answer" && isConflict(error)) {
    return void showToast({
      title: "Already answered",
      detail: "In the terminal or another window, or the agent is no longer asking.",
    });
  }
  const title = FAILURES[change.kind === "session" ? change.action : change.kind];
  const noted = isSignOut(error) ? undefined : noteOnCard(change, error);
  if (noted === undefined) return showError(title, error, retry);
  announce(`${noted.title}: ${title.toLowerCase()}. ${error.message}`);
  if (view.get().taskId === noted.id) return; // its panel says so
  showToast({
    title,
    detail: noted.title,
    isError: true,
    action: { label: "Show", run: () => openTask(noted.id) },
  });
}

/** The task whose card now shows the reason until it is dealt with; undefined if none does. */
function noteOnCard(change: Change, error: Error): Task | undefined {
  if (change.kind !== "session" && change.kind !== "remove") return undefined;
  const { id, agent, projectId } = change.task;
  const project = getProjects().find((one) => one.id === projectId);
  const known = { agents: knownAgents()?.agents, baseBranch: project?.baseBranch };
  const next = nextStep(change, error instanceof ApiError ? error.code : undefined, known);
  const now = getTask(id);
  if (next === undefined || now === undefined) return undefined;
  const action = change.kind === "remove" ? "delete" : change.action;
  const refusal: Refusal = { action, reason: error.message, next, sessionId: change.task.sessionId, agent };
  if (!stands(refusal, now)) return undefined;
  noteRefusal(id, refusal);
  return now;
}

function showStillRunning(task: Task, action: "stop" | "complete") {
  const isToDone = action === "complete";
  showToast({
    title: "The agent is still running",
    detail: isToDone ? "Complete the task, or stop the agent first." : "Stop the agent first.",
    isError: true,
    action: { label: isToDone ? "Complete" : "Stop", run: () => perform(task, action) },
  });
}
