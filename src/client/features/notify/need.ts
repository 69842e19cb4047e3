// When an agent begins to need a person, and how the person is notified. Pure.

import type { ActivityKind } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { activityOf, askOf, displayStatus, failureOf, type Group } from "../../tasks/display-status.ts";

export interface Need {
  /** `end`: nothing is asked, but nothing goes on either without a person. */
  kind: "call" | "end";
  /** Another one of the same agent is a new need. */
  what: ActivityKind | Group;
  /** null where only the row's last change is known, which says little. */
  since: string | null;
  askId: string | null;
  sessionId: string | null;
}

/** What a person is needed for now, if at all. A session that a person stopped has ended with their knowledge. */
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

/** Whether it is another need, and not the same one going on or with more known of it. */
export function isNew(before: Need | null, now: Need | null): now is Need {
  if (now === null) return false;
  if (before === null || before.kind !== now.kind || before.what !== now.what) return true;
  if (before.sessionId !== now.sessionId) return true;
  if (before.askId !== null && now.askId !== null) return before.askId !== now.askId;
  return before.since !== now.since;
}

/** The same in every window. */
export const keyOf = (task: Task, need: Need) =>
  [task.id, need.what, need.askId ?? need.since ?? task.updatedAt].join(" ");

export interface Switches {
  desktop: boolean;
  sound: boolean;
  /** Also when a turn or session ends. */
  ends: boolean;
}

/** What is switched on for this need. Nothing is while the person looks at it. */
export function waysToTell(
  need: Need,
  { desktop, sound, ends }: Switches,
  { isProjectOn, isOnScreen }: { isProjectOn: boolean; isOnScreen: boolean },
): { desktop: boolean; sound: boolean } {
  const isWanted = isProjectOn && !isOnScreen && (need.kind === "call" || ends);
  return { desktop: isWanted && desktop, sound: isWanted && sound };
}

/** What it needs, in one line. */
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
  return detail ? `${word}. ${detail.slice(0, MOST)}` : word;
}

const MOST = 200;
