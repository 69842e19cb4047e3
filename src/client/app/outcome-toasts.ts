// What is said after a session's action: where things went, or why not and what to do next.

import { TRASH_DAYS } from "../../contract.ts";
import { knownAgents } from "../shared/api/agents.ts";
import { ApiError } from "../shared/api/client.ts";
import { choosingAgent, openTab } from "../shared/stores/tabs.ts";
import { showError, showToast, type ToastAction } from "../shared/ui/toast.tsx";
import { isLive } from "../tasks/display-status.ts";
import type { SessionChange } from "../tasks/session-change.ts";
import type { Task } from "../tasks/tasks.ts";

type Act = (change: SessionChange) => void;

export const WORKTREE_KEPT = `Its worktree is in the trash for ${TRASH_DAYS} days.`;

/** Starting and stopping show on the card; only what takes something away is told. */
export function showOutcome({ action, task }: SessionChange, act: Act) {
  const hadWorktree = task.worktreePath !== null;
  if (action === "complete") {
    showToast({
      title: "Completed",
      detail: hadWorktree ? `${WORKTREE_KEPT} The branch ${task.branch} stays.` : task.title,
      action: { label: "Undo", run: () => act({ action: "reopen", task }) },
    });
  } else if (action === "retry" && hadWorktree) {
    showToast({
      title: "Trying again in a fresh worktree",
      detail: `The last one is in the trash for ${TRASH_DAYS} days.`,
      action: { label: "History", run: () => openTab(task.id, "history") },
    });
  }
}

const NOT_DONE: Record<SessionChange["action"], string> = {
  start: "Not started",
  resume: "Not resumed",
  stop: "Not stopped",
  retry: "Not tried again",
  complete: "Not completed",
  reopen: "Not brought back",
};

export function showRefusal(change: SessionChange, error: Error, act: Act) {
  const next = error instanceof ApiError ? nextStep(change, error, act) : undefined;
  if (next === undefined) return showError(NOT_DONE[change.action], error, () => act(change));
  showToast({ title: NOT_DONE[change.action], detail: error.message, isError: true, action: next });
}

function nextStep(change: SessionChange, { status }: ApiError, act: Act): ToastAction | undefined {
  const { task, action } = change;
  if (status === 429) return { label: "Try again", run: () => act(change) };
  if (status !== 422) return undefined;
  const agent = knownAgents()?.agents.find(({ name }) => name === task.agent);
  if (agent?.available === false) return { label: "Choose another agent", run: () => choosingAgent(task.id) };
  if (action === "resume" && agent?.canResume === false) {
    return { label: "Retry", run: () => act({ ...change, action: "retry" }) };
  }
  // Someone else moved it in between.
  if (action === "start" && task.status === "active") {
    return {
      label: "Move to Active and start",
      run: () => act({ action, task: { ...task, status: "backlog" } }),
    };
  }
  return undefined;
}

/** True when it has said why the card has to stay. */
export function refuseWhileRunning(task: Task, act: Act, isToDone = false): boolean {
  if (!isLive(task)) return false;
  const action = isToDone ? ("complete" as const) : ("stop" as const);
  showToast({
    title: "Its agent is still running",
    detail: isToDone ? "Complete the task, or stop the agent first." : "Stop the agent first.",
    isError: true,
    action: { label: isToDone ? "Complete" : "Stop", run: () => act({ action, task }) },
  });
  return true;
}
