// What a person does to tasks. What becomes of it is published; the app says it.

import type { TaskStatus } from "../../contract.ts";
import { ApiError, api, queryClient, unwrap } from "../shared/api/client.ts";
import { TASKS, upsert } from "../shared/api/lists.ts";
import type { Task } from "../shared/api/rows.ts";
import type { SessionAction } from "./actions.ts";
import type { Answer, Change, OnTried, TaskPatch } from "./change.ts";
import { isLive } from "./display-status.ts";
import { send } from "./send-change.ts";
import { getTask, TASK_CHANGE } from "./tasks.ts";

export type Outcome =
  | { kind: "sent"; change: Change }
  | { kind: "done"; change: Change }
  /** Refused, which is an `ApiError`, or the server could not be reached. */
  | { kind: "failed"; change: Change; error: Error; retry(): void }
  /** Couldn't send: a card stays where it is while its agent runs. `action` would end that. */
  | { kind: "still-running"; task: Task; action: "stop" | "complete" };

let publish: (outcome: Outcome) => void = () => {};

export function onOutcome(listener: (outcome: Outcome) => void) {
  publish = listener;
}

/**
 * Changes of one task are sent one at a time and in order, so that a later one never overtakes an earlier one. Another
 * task's don't wait for them: ending an agent and archiving its worktree can take minutes. New tasks share a queue, so
 * that they come in the order they were written. An answer waits for nothing: an agent waits for it.
 */
function queueOf(change: Change): string | undefined {
  if (change.kind === "answer") return undefined;
  if (change.kind === "create") return "new";
  return change.kind === "update" ? change.id : change.task.id;
}

function submit(change: Change) {
  const queue = queueOf(change);
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationKey: TASK_CHANGE,
    ...(queue !== undefined && { scope: { id: `task:${queue}` } }),
    mutationFn: send,
    onSuccess: (task) => onDone(change, task),
    onError: (error: Error) => onFailed(change, error),
  });
  publish({ kind: "sent", change });
  mutation.execute(change).catch(() => {}); // onError has it
}

function onDone(change: Change, task: Task | undefined) {
  if (task !== undefined) upsert(TASKS, task);
  if (change.kind === "update") change.onTried?.(true);
  publish({ kind: "done", change });
}

function onFailed(change: Change, error: Error) {
  if (change.kind === "update") change.onTried?.(false);
  if (change.kind === "answer" && isConflict(error)) void refresh(change.taskId);
  publish({ kind: "failed", change, error, retry: () => submit(change) });
}

export const isConflict = (error: Error) => error instanceof ApiError && error.code === "conflict";

async function refresh(id: string): Promise<void> {
  const task = await unwrap(api.tasks({ id }).get()).catch(() => undefined); // an event brings it too
  if (task) upsert(TASKS, task);
}

let creations = 0;

export function createTask(projectId: string, title: string, status: TaskStatus) {
  creations += 1;
  submit({ kind: "create", key: `new:${creations}`, projectId, title, status, at: Date.now() });
}

export function updateTask(id: string, patch: TaskPatch, onTried?: OnTried) {
  const task = getTask(id);
  const isMove = task !== undefined && patch.status !== undefined && patch.status !== task.status;
  if (isMove && isLive(task)) {
    const action = patch.status === "done" ? "complete" : "stop";
    publish({ kind: "still-running", task, action });
  } else submit({ kind: "update", id, patch, onTried });
}

/** False when it has to stay. */
export function removeTask(task: Task): boolean {
  if (isLive(task)) publish({ kind: "still-running", task, action: "stop" });
  else submit({ kind: "remove", task });
  return !isLive(task);
}

export const restoreTask = (task: Task) => submit({ kind: "restore", task });

export const runAction = (task: Task, action: SessionAction | "reopen") =>
  submit({ kind: "session", task, action });

export const sendAnswer = (answer: Omit<Answer, "kind">) => submit({ kind: "answer", ...answer });
