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

/** Finer than the group, and independent of colour. */
export type Shape = Group | "permission" | "question" | "trouble" | "turn" | "background" | "limited";

export interface DisplayStatus {
  group: Group;
  word: string;
  shape: Shape;
}

export const isLive = (task: Task) => isLiveStatus(task.sessionStatus);

/** Nothing was ever started, or everything has been archived. */
export const isNotStarted = (task: Task) => task.sessionStatus === null && task.worktreePath === null;

export function displayStatus(task: Task): DisplayStatus {
  const status = statusWithoutOperation(task);
  const { sessionOperation: operation } = task;
  if (operation === null) return status;
  const group = own(GROUP_DURING, operation) ?? status.group;
  return { word: own(OPERATION_WORDS, operation) ?? `${inWords(operation)}…`, group, shape: group };
}

/** A page from before an update may not know every value. */
const own = <Value>(of: Partial<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined;

const inWords = (value: string) => `${value.slice(0, 1).toUpperCase()}${value.slice(1).replaceAll("_", " ")}`;

const OPERATION_WORDS: Record<Operation, string> = {
  start: "Starting…",
  stop: "Stopping…",
  archive: "Archiving…",
  restore: "Restoring…",
};

/** The group it will have in a moment, so that the card moves only once. */
const GROUP_DURING: Partial<Record<Operation, Group>> = { start: "working", stop: "idle" };

/** A finished turn asks nothing, and a rate limit passes by itself: neither needs a person now. */
const ACTIVITIES: Record<ActivityKind, DisplayStatus> = {
  working: { group: "working", word: "Working", shape: "working" },
  permission: { group: "needs", word: "Needs permission", shape: "permission" },
  question: { group: "needs", word: "Has a question", shape: "question" },
  trouble: { group: "needs", word: "Blocked", shape: "trouble" },
  finished: { group: "finished", word: "Turn finished", shape: "turn" },
  background: { group: "finished", word: "Background work", shape: "background" },
  limited: { group: "idle", word: "Rate-limited", shape: "limited" },
  idle: { group: "idle", word: "Idle", shape: "idle" },
};

const plain = (group: Group, word: string): DisplayStatus => ({ group, word, shape: group });

function statusWithoutOperation(task: Task): DisplayStatus {
  const { sessionStatus: status, sessionError: error } = task;
  const activity = activityOf(task);
  const known = activity === null ? undefined : own(ACTIVITIES, activity.kind);
  if (known !== undefined) return known;
  if (status === "waiting_for_input") return plain("needs", "Needs you");
  if (status === "running") return plain("working", "Working");
  if (isLive(task)) return plain("working", "Starting…");
  if (isStopped(task)) return plain("idle", "Stopped");
  if (status === "failed" || error !== null) return plain("failed", "Failed");
  if (status === "done") return plain("finished", "Finished");
  if (status !== null) return plain("idle", inWords(status));
  return plain("idle", task.worktreePath === null ? "Not started" : "Restored");
}

/** What a running agent is doing. A session that has ended may still have a stale one in its row. */
export const activityOf = (task: Task) =>
  task.sessionStatus === "running" || task.sessionStatus === "waiting_for_input" ? task.activity : null;

/** What the agent is asking now. */
export const askOf = (task: Task) => {
  const kind = activityOf(task)?.kind;
  return task.sessionOperation === null && (kind === "permission" || kind === "question") ? task.asks : null;
};

/** It has done what it was told. */
export const isTurnOver = (task: Task) => {
  const kind = activityOf(task)?.kind;
  return task.sessionOperation === null && (kind === "finished" || kind === "background");
};

/** It can be told what to do next, now or later. A plain shell has no turns, and what is asked is answered first. */
export const takesPrompt = (task: Task) =>
  task.agent !== "shell" &&
  task.sessionOperation === null &&
  activityOf(task) !== null &&
  askOf(task) === null;

/** It waits for a prompt, as far as anybody knows. */
export const wantsPrompt = (task: Task) => {
  const activity = activityOf(task);
  const isStuck = takesPrompt(task) && activity?.kind === "trouble" && activity.held === undefined;
  return isTurnOver(task) || isStuck;
};

/** A person stopped it, so it did not fail. */
const isStopped = ({ sessionStatus, sessionError }: Task) =>
  sessionStatus === "failed" && sessionError === STOPPED;

/** Why it failed: what happened, and the last lines of output. */
export function failureOf(task: Task): { reason: string; output: string } | undefined {
  if (task.sessionError === null || displayStatus(task).group !== "failed") return undefined;
  const [reason = "", ...rest] = task.sessionError.split("\n");
  return { reason, output: rest.join("\n") };
}

/** When it got this status. For a task that never had a session, when it last changed. */
export const since = (task: Task) => activityOf(task)?.since ?? task.sessionChangedAt ?? task.updatedAt;
