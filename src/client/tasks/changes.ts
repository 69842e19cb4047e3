// What people do to tasks. Outcomes are published, and the app shows them.

import { ApiError, api, queryClient, unwrap } from "../shared/api/client.ts";
import { TASKS, upsert } from "../shared/api/lists.ts";
import type { Task, Work } from "../shared/api/rows.ts";
import type { Answer, Change, OnTried, SessionChange, TaskPatch } from "./change.ts";
import { noteCreated, noteOnItsWay } from "./creations.ts";
import { isLive } from "./display-status.ts";
import type { NewTask } from "./placeholder.ts";
import { send } from "./send-change.ts";
import { getTask, getTaskAsShown, TASK_CHANGE } from "./tasks.ts";
import { rememberUpdate, type Undone } from "./undo-update.ts";
import { noteOwnAnswer } from "./unseen.ts";

export type Outcome =
  | { kind: "sent"; change: Change }
  | { kind: "done"; change: Change }
  /** Refused, which is an `ApiError`, or the server could not be reached. */
  | { kind: "failed"; change: Change; error: Error; retry(): void }
  /** With Ctrl Z, or an attempt at it. */
  | { kind: "undone"; undone: Undone }
  /** Not sent, because a card stays in its column while its agent runs. `action` would end the agent. */
  | { kind: "still-running"; task: Task; action: "stop" | "complete" };

let publish: (outcome: Outcome) => void = () => {};

export function onOutcome(listener: (outcome: Outcome) => void) {
  publish = listener;
}

/**
 * Each task has a queue, so that a later change never overtakes an earlier one; other tasks don't wait, because ending
 * an agent and archiving its worktree can take minutes. New tasks share one queue and appear in the order in which they
 * were written. Answers don't queue: an agent is waiting for them.
 */
function queueOf(change: Change): string | undefined {
  if (change.kind === "answer") return undefined;
  if (change.kind === "create") return "new";
  return change.kind === "update" ? change.id : change.task.id;
}

function submit(change: Change): void {
  const queue = queueOf(change);
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationKey: TASK_CHANGE,
    ...(queue !== undefined && { scope: { id: `task:${queue}` } }),
    mutationFn: send,
    onSuccess: (task) => onDone(change, task),
    onError: (error: Error) => onFailed(change, error),
  });
  publish({ kind: "sent", change });
  const tried = mutation.execute(change).catch(() => undefined); // onError reports it
  if (change.kind === "create") noteOnItsWay(change.key, tried);
}

function onDone(change: Change, task: Task | undefined) {
  if (task !== undefined) upsert(TASKS, task);
  if (task !== undefined && change.kind === "create") noteCreated(change.key, task);
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

/** Returns the placeholder's id. */
export function createTask(task: Pick<NewTask, "projectId" | "title" | "status" | "agent">): string {
  creations += 1;
  const key = `new:${creations}`;
  submit({ kind: "create", key, at: Date.now(), ...task });
  return key;
}

export function updateTask(id: string, patch: TaskPatch, onTried?: OnTried) {
  if (mustStay(id, patch)) return;
  const before = getTaskAsShown(id);
  const forget = before && rememberUpdate(before, patch, { shown: getTaskAsShown, run: takeBack });
  submit({
    kind: "update",
    id,
    patch,
    onTried(isSaved) {
      if (!isSaved) forget?.();
      onTried?.(isSaved);
    },
  });
}

function takeBack(undone: Undone) {
  if (undone.isDone) {
    const { task, patch } = undone;
    if (mustStay(task.id, patch)) return;
    submit({ kind: "update", id: task.id, patch });
  }
  publish({ kind: "undone", undone });
}

/** A card stays in its column while its agent runs. Says so if that is why it can't move. */
function mustStay(id: string, { status }: TaskPatch): boolean {
  const task = getTask(id);
  const isMove = task !== undefined && status !== undefined && status !== task.status;
  if (!isMove || !isLive(task)) return false;
  publish({ kind: "still-running", task, action: status === "done" ? "complete" : "stop" });
  return true;
}

/** False if it has to stay because its agent is running. */
export function removeTask(task: Task): boolean {
  if (isLive(task)) publish({ kind: "still-running", task, action: "stop" });
  else submit({ kind: "remove", task });
  return !isLive(task);
}

export const restoreTask = (task: Task) => submit({ kind: "restore", task });

/** Without the question that `perform` may ask first. */
export const runAction = (task: Task, action: SessionChange["action"]) =>
  submit({ kind: "session", task, action });

/** Over the lock that a git which was stopped has left in the worktree. */
export const resumeUnlocked = (task: Task) =>
  submit({ kind: "session", task, action: "resume", unlock: true });

export const complete = (task: Task, work?: Work, commit?: string) =>
  submit({ kind: "session", task, action: "complete", work, commit });

export function sendAnswer(answer: Omit<Answer, "kind">) {
  noteOwnAnswer(answer.ask);
  submit({ kind: "answer", ...answer });
}
