// Remembers moves and edits, so that Ctrl Z can undo them.

import type { Task } from "../shared/api/rows.ts";
import { pushUndo } from "../shared/stores/undo.ts";
import type { TaskPatch } from "./change.ts";
import { inverse, isAsLeft } from "./inverse.ts";
import { getTaskAsShown } from "./tasks.ts";

/** Text is saved repeatedly while it is typed. Saves this close together are one edit. */
const ONE_EDIT_MS = 30_000;
const TEXTS = ["title", "description"] as const;

export type Undone =
  | { isDone: true; task: Task; patch: TaskPatch }
  /** The card is gone, or somebody has changed it since. */
  | { isDone: false; task: Task };

interface Remembered {
  id: string;
  fields: string;
  left: TaskPatch;
  at: number;
  isNewest(): boolean;
  forget(): void;
}

let last: Remembered | undefined;

/** Returns a function that forgets it, for when the server refuses it. */
export function rememberUpdate(before: Task, patch: TaskPatch, run: (undone: Undone) => void): () => void {
  const { id } = before;
  const fields = Object.keys(patch).join();
  const now = Date.now();
  const isText = TEXTS.some((field) => field === fields);
  if (isText && last?.isNewest() && last.id === id && last.fields === fields && now - last.at < ONE_EDIT_MS) {
    last.left = patch;
    last.at = now;
    return () => {};
  }
  const back = inverse(before, patch);
  const step = pushUndo(() => {
    const task = getTaskAsShown(id);
    if (task !== undefined && isAsLeft(task, remembered.left)) run({ isDone: true, task, patch: back });
    else run({ isDone: false, task: task ?? before });
  });
  const remembered: Remembered = { id, fields, left: patch, at: now, ...step };
  last = remembered;
  return step.forget;
}
