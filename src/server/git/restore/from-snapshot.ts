import { dirname } from "node:path";
import { DomainError } from "../../errors.ts";
import { branchAt, newBranch } from "../repository/branches.ts";
import { git } from "../run/git.ts";
import { readSnapshot } from "../snapshots/facts.ts";
import { makeWorktree } from "../worktrees/make-worktree.ts";
import { checkOut } from "./check-out.ts";
import { restoreInside } from "./inside.ts";
import type { RestoredWorktree, RestoreWorktree } from "./request.ts";

const PURGED =
  "The trash was emptied: ignored files, empty folders and file modes other than the executable bit are gone.";

/** Restores what the snapshot has: commits, and staged, changed and new files. */
export async function restoreFromSnapshot(
  input: RestoreWorktree & { snapshotRef: string; owner: string },
): Promise<RestoredWorktree> {
  const { repository, trashPath, snapshotRef, path, owner, checkpoint } = input;
  const facts = await readSnapshot(repository, snapshotRef);
  if (facts === undefined)
    throw new DomainError("not_found", `There is no snapshot ${snapshotRef} in ${repository}.`);
  const wanted = facts.branch ?? input.branch;
  const made = await makeWorktree({
    repository,
    path,
    owner,
    trash: dirname(trashPath),
    checkpoint,
    async choose() {
      if (facts.commit !== null) return branchAt(repository, wanted, facts.commit);
      // The worktree had no commit, so the snapshot itself becomes the first.
      return {
        branch: await newBranch(repository, wanted),
        baseCommit: await commitOf(repository, snapshotRef),
      };
    },
    async fill(inert, { common }) {
      const snapshot = await commitOf(repository, snapshotRef);
      await checkOut(inert, { common, path, facts, snapshot, checkpoint });
      return [PURGED];
    },
    complete: (inert, made) => restoreInside(inert, made, facts.inside),
  });
  return { branch: made.branch, path, notes: made.notes };
}

async function commitOf(repository: string, ref: string): Promise<string> {
  return (await git(repository, ["rev-parse", "--verify", `${ref}^{commit}`])).stdout.trim();
}
