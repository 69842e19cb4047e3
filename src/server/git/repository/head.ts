import { git } from "../run/git.ts";

/** The prefix of branches' full names. */
export const HEADS = "refs/heads/";

export interface Head {
  /** Short name; null while HEAD is detached. */
  branch: string | null;
  /** null while the branch has no commit. */
  commit: string | null;
}

/** Overrides the configuration: a submodule's may point to files that are gone. */
const HERE = ["--git-dir=.", "--work-tree=."];

/** A worktree's HEAD, from its administrative directory. */
export async function readHead(directory: string): Promise<Head> {
  const [symbolic, commit] = await Promise.all([
    git(directory, [...HERE, "symbolic-ref", "--quiet", "HEAD"]),
    git(directory, [...HERE, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
  ]);
  const branch = symbolic.stdout.trim();
  return {
    branch: branch.startsWith(HEADS) ? branch.slice(HEADS.length) : null,
    commit: commit.code === 0 ? commit.stdout.trim() : null,
  };
}
