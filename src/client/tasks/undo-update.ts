// Remembers moves and edits, so that Ctrl Z can undo them.

import type { Task } from "../shared/api/rows.ts";
import { pushUndo } from "../shared/stores/undo.ts";
import type { TaskPatch } from "./change.ts";
import { inverse, isAsLeft } from "./inverse.ts";

/** A description is saved repeatedly while it is typed. Saves this close together are one edit. */
const ONE_EDIT_MS = 30_000;
const DESCRIPTION = "description";

export type Undone =
  | { isDone: true; task: Task; patch: TaskPatch }
  /** The card is gone, or somebody has changed it since. */
  | { isDone: false; task: Task };

interface Remembered {
  id: string;
  fields: string;
  /** What was saved, the last one last, without what the server has refused. */
  saves: TaskPatch[];
  at: number;
  isNewest(): boolean;
  forget(): void;
}

let last: Remembered | undefined;

interface UndoParts {
  /** The task as the board shows it. */
  shown(id: string): Task | undefined;
  run(undone: Undone): void;
}

/** Returns a function that forgets it, for when the server refuses it. */
export function rememberUpdate(before: Task, patch: TaskPatch, { shown, run }: UndoParts): () => void {
  const { id } = before;
  const fields = Object.keys(patch).join();
  const now = Date.now();
  const isSame = last?.isNewest() && last.id === id && last.fields === fields && fields === DESCRIPTION;
  if (last !== undefined && isSame && now - last.at < ONE_EDIT_MS) {
    last.saves.push(patch);
    last.at = now;
    return forgetSave(last, patch);
  }
  const back = inverse(before, patch);
  const step = pushUndo(() => {
    const task = shown(id);
    const left = remembered.saves.at(-1) ?? patch;
    if (task !== undefined && isAsLeft(task, left)) run({ isDone: true, task, patch: back });
    else run({ isDone: false, task: task ?? before });
  });
  const remembered: Remembered = { id, fields, saves: [patch], at: now, ...step };
  last = remembered;
  return forgetSave(remembered, patch);
}

const forgetSave = (remembered: Remembered, patch: TaskPatch) => () => {
  remembered.saves = remembered.saves.filter((save) => save !== patch);
  if (remembered.saves.length === 0) remembered.forget();
};
