// Toasts about what became of a person's changes: where things are now, or what failed and what to do next.

import { TRASH_DAYS } from "../../contract.ts";
import { knownAgents } from "../shared/api/agents.ts";
import { ApiError } from "../shared/api/client.ts";
import type { Task } from "../shared/api/rows.ts";
import { chooseAgent, openTab } from "../shared/stores/tabs.ts";
import { showError, showToast, type ToastAction } from "../shared/ui/toast.tsx";
import type { Change, SessionChange } from "../tasks/change.ts";
import { isConflict, type Outcome, restoreTask, runAction } from "../tasks/changes.ts";

type Failure = Extract<Outcome, { kind: "failed" }>;

export function showOutcome(outcome: Outcome) {
  if (outcome.kind === "failed") showFailure(outcome);
  else if (outcome.kind === "still-running") showStillRunning(outcome.task, outcome.action);
  else if (outcome.kind === "sent" && outcome.change.kind === "remove") showRemoved(outcome.change);
  else if (outcome.kind === "done" && outcome.change.kind === "session") showDone(outcome.change);
}

const WORKTREE_KEPT = `Its worktree is in the trash for ${TRASH_DAYS} days.`;

/** For each removal, how to take its toast away. */
const withdrawals = new WeakMap<Change, () => void>();

function showRemoved(change: Extract<Change, { kind: "remove" }>) {
  const { task } = change;
  const withdraw = showToast({
    title: "Task deleted",
    detail: task.worktreePath === null ? task.title : `${task.title}. ${WORKTREE_KEPT}`,
    action: { label: "Undo", run: () => restoreTask(task) },
  });
  withdrawals.set(change, withdraw);
}

/** Starting and stopping show on the card. Only what removes something needs a toast. */
function showDone({ action, task }: SessionChange) {
  const hadWorktree = task.worktreePath !== null;
  if (action === "complete") {
    showToast({
      title: "Completed",
      detail: hadWorktree ? `${WORKTREE_KEPT} The branch ${task.branch} stays.` : task.title,
      action: { label: "Undo", run: () => runAction(task, "reopen") },
    });
  } else if (action === "retry" && hadWorktree) {
    showToast({
      title: "Trying again in a fresh worktree",
      detail: `The last one is in the trash for ${TRASH_DAYS} days.`,
      action: { label: "History", run: () => openTab(task.id, "history") },
    });
  }
}

const FAILURES: Record<Exclude<Change["kind"], "session"> | SessionChange["action"], string> = {
  create: "The task was not created",
  update: "The change was not saved",
  remove: "The task was not deleted",
  restore: "The task was not brought back",
  answer: "The answer was not sent",
  start: "Not started",
  resume: "Not resumed",
  stop: "Not stopped",
  retry: "Not tried again",
  complete: "Not completed",
  reopen: "Not brought back",
};

function showFailure(failure: Failure) {
  const { change, error, retry } = failure;
  withdrawals.get(change)?.();
  if (change.kind === "answer" && isConflict(error)) {
    return void showToast({
      title: "Answered already",
      detail: "In the terminal or in another window, or the agent does not ask any more.",
    });
  }
  const title = FAILURES[change.kind === "session" ? change.action : change.kind];
  const action = change.kind === "session" ? nextStep(change, failure) : undefined;
  if (action === undefined) showError(title, error, retry);
  else showToast({ title, detail: error.message, isError: true, action });
}

function nextStep({ task, action }: SessionChange, { error, retry }: Failure): ToastAction | undefined {
  const code = error instanceof ApiError ? error.code : null;
  if (code === "too_many") return { label: "Try again", run: retry };
  if (code !== "invalid") return undefined;
  const agent = knownAgents()?.agents.find(({ name }) => name === task.agent);
  if (agent?.available === false) return { label: "Choose another agent", run: () => chooseAgent(task.id) };
  if (action === "resume" && agent?.canResume === false) {
    return { label: "Retry", run: () => runAction(task, "retry") };
  }
  // Somebody else moved it in the meantime.
  if (action === "start" && task.status === "active") {
    return {
      label: "Move to Active and start",
      run: () => runAction({ ...task, status: "backlog" }, action),
    };
  }
  return undefined;
}

function showStillRunning(task: Task, action: "stop" | "complete") {
  const isToDone = action === "complete";
  showToast({
    title: "Its agent is still running",
    detail: isToDone ? "Complete the task, or stop the agent first." : "Stop the agent first.",
    isError: true,
    action: { label: isToDone ? "Complete" : "Stop", run: () => runAction(task, action) },
  });
}
