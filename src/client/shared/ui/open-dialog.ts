import type { Shell, Snapshot, Task, TrashEntry, Work } from "../api/rows.ts";
import { createStore } from "../stores/store.ts";

/** The dialog that is open; never more than one. */
export type OpenDialog =
  | { kind: "palette" }
  | { kind: "keys" }
  | { kind: "login-link" }
  | { kind: "notify" }
  | { kind: "projects" }
  | { kind: "add-project" }
  | { kind: "first-commit"; projectId: string }
  | { kind: "project-settings"; projectId: string }
  | { kind: "complete"; task: Task; found: Work | Error }
  | { kind: "move"; taskId: string }
  | { kind: "task-menu"; taskId: string }
  | { kind: "purge"; entry: TrashEntry }
  | { kind: "remove-snapshot"; snapshot: Snapshot }
  | { kind: "shell-menu"; shell: Shell }
  | { kind: "close-shell"; shell: Shell };

export const dialog = createStore<OpenDialog | null>(null);

export const openDialog = (next: OpenDialog) => dialog.set(next);
export const closeDialog = () => dialog.set(null);
