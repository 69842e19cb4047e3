// Where a task's session stands, in the five words the board sorts and colours by. Pure.

import { isLive as isLiveStatus, type Operation, STOPPED } from "../../contract.ts";
import type { Task } from "../api/tasks.ts";

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

export interface Standing {
  group: Group;
  word: string;
}

export const isLive = (task: Task) => isLiveStatus(task.sessionStatus);

/** Nothing was ever started here, or it was all put away. */
export const hasNothing = (task: Task) => task.sessionStatus === null && task.worktreePath === null;

export function standingOf(task: Task): Standing {
  const standing = restingAt(task);
  const { sessionOperation: operation } = task;
  if (operation === null) return standing;
  return { word: UNDER_WAY[operation], group: GROUP_MEANWHILE[operation] ?? standing.group };
}

const UNDER_WAY: Record<Operation, string> = {
  start: "Starting…",
  stop: "Stopping…",
  archive: "Putting away…",
  restore: "Bringing back…",
};

/** Where it will be in a moment, so that a card moves once. */
const GROUP_MEANWHILE: Partial<Record<Operation, Group>> = { start: "working", stop: "idle" };

function restingAt(task: Task): Standing {
  const { sessionStatus: status, sessionError: error } = task;
  if (status === "waiting_for_input") return { group: "needs", word: "Needs you" };
  if (status === "running") return { group: "working", word: "Working" };
  if (isLive(task)) return { group: "working", word: "Starting…" };
  if (isStopped(task)) return { group: "idle", word: "Stopped" };
  if (status === "failed" || error !== null) return { group: "failed", word: "Failed" };
  if (status === "done") return { group: "finished", word: "Finished" };
  return { group: "idle", word: task.worktreePath === null ? "Not started" : "Brought back" };
}

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
export const since = (task: Task) => task.sessionChangedAt ?? task.updatedAt;
