export interface RestoreWorktree {
  repository: string;
  trashPath: string;
  snapshotRef: string | null;
  /** Has to be free. */
  path: string;
  /** The branch the session had; used when the worktree itself does not say. */
  branch: string;
  checkpoint?: ((step: string) => void) | undefined;
}

export interface RestoredWorktree {
  branch: string;
  path: string;
  /** What a person should know. */
  notes: string[];
}
