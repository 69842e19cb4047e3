// Where a task's session stands: in five groups the board sorts and colours by, and in finer words. Pure.

import { type ActivityKind, isLive as isLiveStatus, type Operation, STOPPED } from "../../contract.ts";
import type { Task } from "./tasks.ts";

/** In the order in which a person wants to hear of them. */
export const GROUPS = ["needs", "failed", "finished", "working", "idle"] as const;
export type Group = (typeof GROUPS)[number];

export const GROUP_NAMES: Record<Group, string> = {
  needs: "Needs you",
  failed: "Failed",
  finished: "Finished",
  working: "Working",
  idle: "Idle",
};

/** What it looks like, for whoever can't tell the colours apart: finer than the group. */
export type Shape = Group | "permission" | "question" | "trouble" | "turn" | "limited";

export interface Standing {
  group: Group;
  word: string;
  shape: Shape;
}

export const isLive = (task: Task) => isLiveStatus(task.sessionStatus);

/** Nothing was ever started here, or it was all put away. */
export const hasNothing = (task: Task) => task.sessionStatus === null && task.worktreePath === null;

export function standingOf(task: Task): Standing {
  const standing = restingAt(task);
  const { sessionOperation: operation } = task;
  if (operation === null) return standing;
  const group = GROUP_MEANWHILE[operation] ?? standing.group;
  return { word: UNDER_WAY[operation], group, shape: group };
}

const UNDER_WAY: Record<Operation, string> = {
  start: "Starting…",
  stop: "Stopping…",
  archive: "Putting away…",
  restore: "Bringing back…",
};

/** Where it will be in a moment, so that a card moves once. */
const GROUP_MEANWHILE: Partial<Record<Operation, Group>> = { start: "working", stop: "idle" };

/** A turn that is over waits for nobody in particular; a limit passes by itself. Neither needs a person now. */
const DOING: Record<ActivityKind, Standing> = {
  working: { group: "working", word: "Working", shape: "working" },
  permission: { group: "needs", word: "Needs permission", shape: "permission" },
  question: { group: "needs", word: "Asks you", shape: "question" },
  trouble: { group: "needs", word: "In trouble", shape: "trouble" },
  finished: { group: "finished", word: "Turn finished", shape: "turn" },
  limited: { group: "idle", word: "Rate-limited", shape: "limited" },
  idle: { group: "idle", word: "Idle", shape: "idle" },
};

const standing = (group: Group, word: string): Standing => ({ group, word, shape: group });

function restingAt(task: Task): Standing {
  const { sessionStatus: status, sessionError: error } = task;
  const activity = activityOf(task);
  if (activity !== null) return DOING[activity.kind];
  if (status === "waiting_for_input") return standing("needs", "Needs you");
  if (status === "running") return standing("working", "Working");
  if (isLive(task)) return standing("working", "Starting…");
  if (isStopped(task)) return standing("idle", "Stopped");
  if (status === "failed" || error !== null) return standing("failed", "Failed");
  if (status === "done") return standing("finished", "Finished");
  return standing("idle", task.worktreePath === null ? "Not started" : "Brought back");
}

/** What a program that runs is doing; what is left of one that has ended says nothing. */
export const activityOf = (task: Task) =>
  task.sessionStatus === "running" || task.sessionStatus === "waiting_for_input" ? task.activity : null;

/** What it wants to know now, where it is known. */
export const askOf = (task: Task) => {
  const kind = activityOf(task)?.kind;
  return task.sessionOperation === null && (kind === "permission" || kind === "question") ? task.asks : null;
};

/** The turn is over, or was broken off: it takes the next prompt. A plain shell has turns only for whoever types there. */
export const takesPrompt = (task: Task) => {
  const kind = task.agent === "shell" ? undefined : activityOf(task)?.kind;
  return task.sessionOperation === null && (kind === "finished" || kind === "idle" || kind === "limited");
};

/** By a person, which is no failure. */
const isStopped = ({ sessionStatus, sessionError }: Task) =>
  sessionStatus === "failed" && sessionError === STOPPED;

/** Why it failed: what happened, and the last lines of output. */
export function failureOf(task: Task): { reason: string; output: string } | undefined {
  if (task.sessionError === null || standingOf(task).group !== "failed") return undefined;
  const [reason = "", ...rest] = task.sessionError.split("\n");
  return { reason, output: rest.join("\n") };
}

/** Since when it stands like this; without a session ever, since it was last changed. */
export const since = (task: Task) => activityOf(task)?.since ?? task.sessionChangedAt ?? task.updatedAt;
