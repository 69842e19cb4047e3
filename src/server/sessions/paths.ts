import { mkdirSync } from "node:fs";
import { join } from "node:path";

export type SessionPaths = ReturnType<typeof createSessionPaths>;

/** Where worktrees are, and where they go. */
export function createSessionPaths(dataDir: string) {
  const [worktrees, trashFolder] = [join(dataDir, "worktrees"), join(dataDir, "trash")];
  for (const path of [worktrees, trashFolder]) mkdirSync(path, { recursive: true, mode: 0o700 });
  return {
    worktree: (taskId: string) => join(worktrees, taskId),
    trash: (name: string) => join(trashFolder, name),
    trashFolder,
  };
}
