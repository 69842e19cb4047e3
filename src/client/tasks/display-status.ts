// What a card says about its session: a group the board sorts and colours by, a word and a shape. Pure.

import { type ActivityKind, isLive as isLiveStatus, type Operation, STOPPED } from "../../contract.ts";
import type { Task } from "../shared/api/rows.ts";

/** The most urgent first. */
export const GROUPS = ["needs", "failed", "finished", "working", "idle"] as const;
export type Group = (typeof GROUPS)[number];

export const GROUP_NAMES: Record<Group, string> = {
  needs: "Needs you",
  failed: "Failed",
  finished: "Finished",
  working: "Working",
  idle: "Idle",
};

/** Finer than the group, and readable without telling colours apart. */
export type Shape = Group | "permission" | "question" | "trouble" | "turn" | "limited";

export interface DisplayStatus {
  group: Group;
  word: string;
  shape: Shape;
}

export const isLive = (task: Task) => isLiveStatus(task.sessionStatus);

/** Nothing was ever started, or all of it was archived. */
export const isNotStarted = (task: Task) => task.sessionStatus === null && task.worktreePath === null;

export function displayStatus(task: Task): DisplayStatus {
  const status = statusWithoutOperation(task);
  const { sessionOperation: operation } = task;
  if (operation === null) return status;
  const group = GROUP_DURING[operation] ?? status.group;
  return { word: OPERATION_WORDS[operation], group, shape: group };
}

const OPERATION_WORDS: Record<Operation, string> = {
  start: "Starting…",
  stop: "Stopping…",
  archive: "Archiving…",
  restore: "Restoring…",
};

/** Where it will be in a moment, so that a card moves once. */
const GROUP_DURING: Partial<Record<Operation, Group>> = { start: "working", stop: "idle" };

/** A finished turn asks nothing, and a limit passes by itself: neither needs a person now. */
const ACTIVITIES: Record<ActivityKind, DisplayStatus> = {
  working: { group: "working", word: "Working", shape: "working" },
  permission: { group: "needs", word: "Needs permission", shape: "permission" },
  question: { group: "needs", word: "Has a question", shape: "question" },
  trouble: { group: "needs", word: "Blocked", shape: "trouble" },
  finished: { group: "finished", word: "Turn finished", shape: "turn" },
  limited: { group: "idle", word: "Rate-limited", shape: "limited" },
  idle: { group: "idle", word: "Idle", shape: "idle" },
};

const plain = (group: Group, word: string): DisplayStatus => ({ group, word, shape: group });

function statusWithoutOperation(task: Task): DisplayStatus {
  const { sessionStatus: status, sessionError: error } = task;
  const activity = activityOf(task);
  if (activity !== null) return ACTIVITIES[activity.kind];
  if (status === "waiting_for_input") return plain("needs", "Needs you");
  if (status === "running") return plain("working", "Working");
  if (isLive(task)) return plain("working", "Starting…");
  if (isStopped(task)) return plain("idle", "Stopped");
  if (status === "failed" || error !== null) return plain("failed", "Failed");
  if (status === "done") return plain("finished", "Finished");
  return plain("idle", task.worktreePath === null ? "Not started" : "Restored");
}

/** What a running agent is doing. What the row keeps of one that has ended says nothing. */
export const activityOf = (task: Task) =>
  task.sessionStatus === "running" || task.sessionStatus === "waiting_for_input" ? task.activity : null;

/** What the agent is asking now. */
export const askOf = (task: Task) => {
  const kind = activityOf(task)?.kind;
  return task.sessionOperation === null && (kind === "permission" || kind === "question") ? task.asks : null;
};

/** Its turn is over, so it takes the next prompt. A plain shell has no turns. */
export const takesPrompt = (task: Task) => {
  const kind = task.agent === "shell" ? undefined : activityOf(task)?.kind;
  return task.sessionOperation === null && (kind === "finished" || kind === "idle" || kind === "limited");
};

/** By a person, which is no failure. */
const isStopped = ({ sessionStatus, sessionError }: Task) =>
  sessionStatus === "failed" && sessionError === STOPPED;

/** Why it failed: what happened, and the last lines of output. */
export function failureOf(task: Task): { reason: string; output: string } | undefined {
  if (task.sessionError === null || displayStatus(task).group !== "failed") return undefined;
  const [reason = "", ...rest] = task.sessionError.split("\n");
  return { reason, output: rest.join("\n") };
}

/** Since when it has had this status; a task that never had a session, since it was last changed. */
export const since = (task: Task) => activityOf(task)?.since ?? task.sessionChangedAt ?? task.updatedAt;
