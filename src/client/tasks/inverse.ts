// How a change to a task is undone. Pure.

import type { Task } from "../shared/api/rows.ts";
import type { TaskPatch } from "./change.ts";
import { COLUMN_NAMES } from "./column-names.ts";

type Field = keyof TaskPatch;

const fieldsOf = (patch: TaskPatch) => Object.keys(patch) as Field[];

/** The patch that restores what the task had before. */
export function inverse(before: Task, patch: TaskPatch): TaskPatch {
  const fields = patch.status === undefined ? fieldsOf(patch) : [...fieldsOf(patch), "position" as const];
  return Object.fromEntries(fields.map((field) => [field, before[field]]));
}

/** Nobody has changed it since. Its position doesn't count, because moving other cards can change it. */
export const isAsLeft = (now: Task, patch: TaskPatch): boolean =>
  fieldsOf(patch).every(
    (field) => field === "position" || JSON.stringify(now[field]) === JSON.stringify(patch[field]),
  );

export function undoneWords({ title }: Task, { status, position, title: old, pinned }: TaskPatch): string {
  if (status !== undefined) return `“${title}” is back in ${COLUMN_NAMES[status]}.`;
  if (position !== undefined) return `“${title}” is back in its place.`;
  if (old !== undefined) return `The title is “${old}” again.`;
  if (pinned !== undefined) return `“${title}” is ${pinned ? "pinned again" : "no longer pinned"}.`;
  return `“${title}” is as it was before.`;
}
