// When an agent starts to need a person, and how to notify them. Pure.

import type { ActivityKind } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { visibleText } from "../../shared/visible-text.ts";
import { activityOf, askOf, displayStatus, failureOf, type Group } from "../../tasks/display-status.ts";

export interface Need {
  /** `end`: the agent isn't asking anything, but won't go on without a person either. */
  kind: "call" | "end";
  /** A different value is a new need. */
  what: ActivityKind | Group;
  /** null if only the row's last change is known, which may be about something else. */
  since: string | null;
  askId: string | null;
  sessionId: string | null;
}

/** What a person is needed for now, if anything. If a person stopped the session, they know that it has ended. */
export function needOf(task: Task): Need | null {
  if (task.sessionOperation !== null) return null;
  const { group } = displayStatus(task);
  const activity = activityOf(task);
  const kind = group === "needs" ? "call" : group === "finished" || group === "failed" ? "end" : null;
  if (kind === null) return null;
  return {
    kind,
    what: activity?.kind ?? group,
    since: activity?.since ?? null,
    askId: askOf(task)?.id ?? null,
    sessionId: task.sessionId,
  };
}

/** Whether this is a different need, rather than the same one with more details. */
export function isNew(before: Need | null, now: Need | null): now is Need {
  if (now === null) return false;
  if (before === null || before.kind !== now.kind || before.what !== now.what) return true;
  if (before.sessionId !== now.sessionId) return true;
  if (before.askId !== null && now.askId !== null) return before.askId !== now.askId;
  return before.since !== now.since;
}

/** The same key in every window. */
export const keyOf = (task: Task, need: Need) =>
  [task.id, need.what, need.askId ?? need.since ?? task.updatedAt].join(" ");

export interface Switches {
  desktop: boolean;
  sound: boolean;
  /** Also when a turn or session ends. */
  ends: boolean;
}

/** How to notify about this need. Not at all if the person is looking at it. */
export function waysToTell(
  need: Need,
  { desktop, sound, ends }: Switches,
  { isProjectOn, isOnScreen }: { isProjectOn: boolean; isOnScreen: boolean },
): { desktop: boolean; sound: boolean } {
  const isWanted = isProjectOn && !isOnScreen && (need.kind === "call" || ends);
  return { desktop: isWanted && desktop, sound: isWanted && sound };
}

/** What the agent needs, in one line. */
export function bodyOf(task: Task): string {
  const ask = askOf(task);
  const activity = activityOf(task);
  const detail =
    ask === null
      ? (activity?.reason ?? (activity?.kind === "finished" ? task.lastReply : failureOf(task)?.reason))
      : ask.questions === null
        ? `${ask.tool}: ${ask.summary}`
        : (ask.questions[0]?.question ?? ask.summary);
  const { word } = displayStatus(task);
  return detail ? `${word}. ${visibleText(detail).slice(0, MOST)}` : word;
}

const MOST = 200;
