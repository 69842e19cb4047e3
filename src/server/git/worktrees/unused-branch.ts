import { join } from "node:path";
import { listIfThere, readIfThere } from "../disk/if-there.ts";
import type { ChosenBranch } from "../repository/branches.ts";
import { HEADS } from "../repository/head.ts";
import { gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";
import { commonIfThere } from "../trash/trash.ts";

interface Intended extends ChosenBranch {
  /** It was there because the same one had tried before. */
  isSecondTry?: boolean;
  repository?: string;
}

/**
 * Deletes the branch that was made for a worktree which never came to be: only where it has nothing of its own, no
 * worktree is on it, and none in the trash. Says whether it did.
 */
export async function dropUnusedBranch(intended: Partial<Intended>): Promise<boolean> {
  const { repository, branch, baseCommit, isThere, isSecondTry } = intended;
  if (repository === undefined || branch === undefined || baseCommit === undefined) return false;
  if (isThere && !isSecondTry) return false; // somebody else's, or an older worktree's
  const common = await commonIfThere(repository);
  if (common === null) return false;
  const ref = HEADS + branch;
  const asked = await git(repository, ["for-each-ref", "--format=%(objectname) %(worktreepath)", ref]);
  if (asked.code !== 0 || asked.stdout !== `${baseCommit} \n`) return false;
  const others = [`--exclude=${branch}`, "--branches", "--tags", "--remotes"];
  const own = await git(repository, ["rev-list", "--max-count=1", baseCommit, "--not", ...others]);
  if (own.code !== 0 || own.stdout !== "" || (await isInTrash(common, ref))) return false;
  const deleted = await gitWithoutHooks(repository, ["update-ref", "--no-deref", "-d", ref, baseCommit]);
  if (deleted.code !== 0) throw gitFailure(`delete the branch ${branch}`, deleted);
  return true;
}

async function isInTrash(common: string, ref: string): Promise<boolean> {
  const trash = join(common, "banto/trash");
  for (const folder of await listIfThere(trash)) {
    for (const name of await listIfThere(join(trash, folder))) {
      const head = await readIfThere(join(trash, folder, name, "HEAD"));
      if (head === `ref: ${ref}\n`) return true;
    }
  }
  return false;
}
