import { git, WORKTREE_TIMEOUT_MS } from "../run/git.ts";
import { readSnapshot } from "./facts.ts";

/** Whether everything in a snapshot exists: all files, and all commits that are not on a branch. */
export async function isComplete(repository: string, ref: string): Promise<boolean> {
  const facts = await readSnapshot(repository, ref);
  if (facts === undefined) return false;
  const ask = (args: string[]) =>
    git(repository, ["rev-list", "--objects", "--quiet", ...args], { timeoutMs: WORKTREE_TIMEOUT_MS });
  const files = await ask(["--no-walk", ref, facts.staged, ...facts.inside]);
  if (files.code !== 0) return false;
  const history = await ask([ref, "--not", "--branches", "--tags", "--remotes"]);
  return history.code === 0;
}
