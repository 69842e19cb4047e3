// What a person asks of a session: how it is sent, and how the board looks until the answer is there.

import { api, unwrap } from "../shared/api/client.ts";
import { movesFirst, type SessionAction } from "./actions.ts";
import { hasNothing, isLive } from "./display-status.ts";
import type { Task } from "./tasks.ts";

export interface SessionChange {
  /** `reopen` undoes `complete`. */
  action: SessionAction | "reopen";
  /** As it was when the person asked. */
  task: Task;
}

export async function sendSessionChange(change: SessionChange, isSecondTry: boolean): Promise<Task> {
  const { action, task } = change;
  const calls = api.tasks({ id: task.id });
  const now = isSecondTry ? await unwrap(calls.get()) : undefined;
  if (now !== undefined && hasArrived(change, now)) return now;
  if (action === "reopen") return reopen(task);
  if (action === "complete") return unwrap(calls.complete.post());
  if (movesFirst(task, action)) await unwrap(calls.patch({ status: "active" }));
  return unwrap(calls.session[action].post());
}

function hasArrived({ action, task }: SessionChange, now: Task): boolean {
  switch (action) {
    case "start":
    case "resume":
    case "retry":
      return now.sessionOperation !== null || now.sessionId !== task.sessionId;
    case "stop":
      return now.sessionOperation === "stop" || !isLive(now);
    case "reopen":
      return now.status === task.status && (task.worktreePath === null || now.worktreePath !== null);
    case "complete":
      return false; // it does no harm a second time
  }
}

async function reopen({ id, status, worktreePath }: Task): Promise<Task> {
  const calls = api.tasks({ id });
  if (status !== "done") await unwrap(calls.patch({ status }));
  const logs = worktreePath === null ? [] : await unwrap(calls["session-logs"].get());
  // Not the session that ended last: an older one's worktree may have been brought back before.
  const last = logs
    .filter(({ archivedFor }) => archivedFor === "complete")
    .toSorted((a, b) => (b.archivedAt ?? "").localeCompare(a.archivedAt ?? ""))[0];
  if (last !== undefined) await unwrap(calls["session-logs"]({ logId: last.id }).restore.post());
  return unwrap(calls.get());
}

/** The task as it will be in a moment. */
export function withSessionChange(task: Task, { action, task: asked }: SessionChange): Task {
  switch (action) {
    case "start":
    case "resume":
      return { ...task, ...STARTING, sessionOperation: "start" };
    case "retry":
      return { ...task, ...STARTING, sessionOperation: hasNothing(task) ? "start" : "archive" };
    case "stop":
      return { ...task, sessionOperation: "stop" };
    case "complete":
      return hasNothing(task) ? { ...task, status: "done" } : { ...task, sessionOperation: "archive" };
    case "reopen":
      return { ...task, status: asked.status };
  }
}

const STARTING = { status: "active", sessionStatus: "pending", sessionError: null } as const;
