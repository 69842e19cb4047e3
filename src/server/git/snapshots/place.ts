import type { Administration } from "../repository/administration.ts";

export interface SnapshotPlace {
  /** The worktree's repository, for its settings about files. */
  common: string;
  /** The worktree's own, and those of worktrees inside it. */
  administrations: Administration[];
  /** Where the snapshot's objects go, and commits that are there already with their whole history. */
  store: string;
  kept: string[];
}

export interface Written {
  commit: string;
  notes: string[];
  /** Nothing is missing, except ignored files. */
  isWhole: boolean;
}
