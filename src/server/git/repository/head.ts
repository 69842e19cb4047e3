import { git } from "../run/git.ts";

/** How the whole names of branches begin. */
export const HEADS = "refs/heads/";

export interface Head {
  /** Short name; null while HEAD is detached. */
  branch: string | null;
  /** null while the branch has no commit. */
  commit: string | null;
}

/** Of a worktree, by its administrative directory. */
export async function readHead(directory: string): Promise<Head> {
  const [symbolic, commit] = await Promise.all([
    git(directory, ["--git-dir=.", "symbolic-ref", "--quiet", "HEAD"]),
    git(directory, ["--git-dir=.", "rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
  ]);
  const branch = symbolic.stdout.trim();
  return {
    branch: branch.startsWith(HEADS) ? branch.slice(HEADS.length) : null,
    commit: commit.code === 0 ? commit.stdout.trim() : null,
  };
}
