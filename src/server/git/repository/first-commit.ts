import { gitFailure } from "../run/failure.ts";
import { type GitOptions, git } from "../run/git.ts";
import { identityOf } from "../run/identity.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";
import { detectBaseBranch } from "./repository.ts";

const MESSAGE = "Start";

/** Makes an empty commit in a repository that has none, for worktrees to start from. Leaves others alone. */
export async function makeFirstCommit(path: string): Promise<void> {
  if ((await detectBaseBranch(path)) !== null) return;
  const must = async (args: string[], options?: GitOptions) => {
    const result = await git(path, args, options);
    if (result.code !== 0) throw gitFailure("make the first commit", result);
    return result.stdout.trim();
  };
  const tree = await must(["mktree"], { stdin: "" });
  const commit = await must(["commit-tree", tree, "-m", MESSAGE], { env: await identityOf(path) });
  const note = `commit (initial): ${MESSAGE}`;
  const moved = await gitWithoutHooks(path, ["update-ref", "-m", note, "HEAD", commit, ""]);
  if (moved.code !== 0) throw gitFailure("make the first commit", moved);
}
