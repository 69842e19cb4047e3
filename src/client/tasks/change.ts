// Everything a person can change about a task, and what the board shows while a change is being sent. Pure.

import type { Decision } from "../../contract.ts";
import type { Task, Work } from "../shared/api/rows.ts";
import type { SessionAction } from "./actions.ts";
import { mayBeCreatedBy } from "./creations.ts";
import { isNotStarted } from "./display-status.ts";
import { type NewTask, placeholder } from "./placeholder.ts";

export type Creation = { kind: "create" } & NewTask;

export type TaskPatch = Partial<
  Pick<Task, "title" | "description" | "pinned" | "agent" | "agentOptions" | "status" | "position">
>;

/** Called after each attempt to save. */
export type OnTried = (isSaved: boolean) => void;

export interface SessionChange {
  kind: "session";
  /** `forget` gives up a worktree that is gone. */
  action: SessionAction | "forget";
  /** The task as it was when the person acted. */
  task: Task;
  /** What completing puts in the trash, if known. */
  work?: Work | undefined;
  /** Completing commits first, with this message. */
  commit?: string | undefined;
  /** Resuming removes the lock that git has left in the worktree. */
  unlock?: true;
}

/** Names the request, so that it can't answer another one. */
export interface Answer {
  kind: "answer";
  taskId: string;
  ask: string;
  decision: Decision;
  message?: string;
  /** By question. */
  answers?: Record<string, string>;
  /** When it was given. */
  at: string;
}

export type Change =
  | Creation
  | { kind: "update"; id: string; patch: TaskPatch; onTried?: OnTried | undefined }
  | { kind: "remove"; task: Task }
  | { kind: "restore"; task: Task }
  | SessionChange
  | Answer;

export function applyChange(tasks: readonly Task[], change: Change): readonly Task[] {
  const edit = (id: string, fields: (task: Task) => Partial<Task>) =>
    tasks.map((task) => (task.id === id ? { ...task, ...fields(task) } : task));
  switch (change.kind) {
    case "create":
      return [placeholder(change), ...tasks.filter((task) => !mayBeCreatedBy(change, task))];
    case "update":
      return edit(change.id, () => change.patch);
    case "remove":
      return tasks.filter(({ id }) => id !== change.task.id);
    case "restore":
      return [...tasks.filter(({ id }) => id !== change.task.id), change.task];
    case "session":
      return edit(change.task.id, (task) => expectedSession(task, change));
    case "answer":
      return edit(change.taskId, (task) => (task.asks?.id === change.ask ? working(change.at) : {}));
  }
}

const STARTING = { status: "active", sessionStatus: "pending", sessionError: null } as const;

function expectedSession(task: Task, { action, task: asked }: SessionChange): Partial<Task> {
  switch (action) {
    case "start":
    case "resume":
      return { ...STARTING, sessionOperation: "start" };
    case "retry":
      return { ...STARTING, sessionOperation: isNotStarted(task) ? "start" : "archive" };
    case "stop":
      return { sessionOperation: "stop" };
    case "complete":
      return isNotStarted(task) ? { status: "done" } : { sessionOperation: "archive" };
    case "reopen":
      return { status: asked.completedFrom?.status ?? asked.status };
    case "forget":
      return { worktreePath: null, branch: null };
  }
}

const working = (since: string): Partial<Task> => ({
  asks: null,
  activity: { kind: "working", reason: null, since, until: null },
});
