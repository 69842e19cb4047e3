import { mkdirSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";

export type SessionPaths = ReturnType<typeof createSessionPaths>;

/** Where worktrees are, and where they go when they are archived. */
export function createSessionPaths(dataDir: string) {
  const [worktrees, trashFolder] = [join(dataDir, "worktrees"), join(dataDir, "trash")];
  for (const path of [worktrees, trashFolder]) mkdirSync(path, { recursive: true, mode: 0o700 });
  return {
    worktree: (taskId: string) => join(worktrees, taskId),
    trash: (name: string) => join(trashFolder, name),
    trashFolder,
    /** The folder by its real path, as git knows it. */
    worktrees: realpathSync(worktrees),
    /** Converts paths to ones relative to the data directory, and back. */
    placeOf: (path: string) => relative(dataDir, path),
    at: (place: string) => join(dataDir, place),
  };
}
