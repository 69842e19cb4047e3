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

const WORKTREE_KEPT = `Its worktree stays in the trash for ${TRASH_DAYS} days.`;

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
};

function showFailure(failure: Failure) {
  const { change, error, retry } = failure;
  withdrawals.get(change)?.();
  if (change.kind === "answer" && isConflict(error)) {
    return void showToast({
      title: "Already answered",
      detail: "In the terminal or another window, or the agent no longer asks.",
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
    title: "The agent is still running",
    detail: isToDone ? "Complete the task, or stop the agent first." : "Stop the agent first.",
    isError: true,
    action: { label: isToDone ? "Complete" : "Stop", run: () => runAction(task, action) },
  });
}
