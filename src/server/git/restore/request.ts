export interface RestoreWorktree {
  repository: string;
  trashPath: string;
  snapshotRef: string | null;
  /** Where to restore it. Must be free. */
  path: string;
  /** The session's branch, in case the worktree itself does not say. */
  branch: string;
  checkpoint?: ((step: string) => void) | undefined;
}

export interface RestoredWorktree {
  branch: string;
  path: string;
  /** For people. */
  notes: string[];
}
