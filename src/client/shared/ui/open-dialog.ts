import type { Shell, TrashEntry } from "../api/rows.ts";
import { createStore } from "../stores/store.ts";

/** The one dialog that is open. */
export type OpenDialog =
  | { kind: "palette" }
  | { kind: "keys" }
  | { kind: "login-link" }
  | { kind: "notify" }
  | { kind: "projects" }
  | { kind: "add-project" }
  | { kind: "project-settings"; projectId: string }
  | { kind: "move"; taskId: string }
  | { kind: "task-menu"; taskId: string }
  | { kind: "purge"; entry: TrashEntry }
  | { kind: "shell-menu"; shell: Shell }
  | { kind: "close-shell"; shell: Shell };

export const dialog = createStore<OpenDialog | null>(null);

export const openDialog = (next: OpenDialog) => dialog.set(next);
export const closeDialog = () => dialog.set(null);
