// What was done in a worktree: what is on its branch, and what is not committed.

import { baseCommit, baseRefs, readRefs } from "../repository/base-commit.ts";
import { gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";
import { uncommittedFiles, withWorktree } from "./files.ts";

interface WorkInput {
  repository: string;
  path: string;
  /** null: detect it. */
  base: string | null;
}

export interface Work {
  /** null if no branch is checked out. */
  branch: string | null;
  /** Number of files, including new ones but not ignored ones. */
  uncommitted: number;
  /** Number of commits that the base branch does not have. */
  commits: number;
}

export async function readWork(input: WorkInput): Promise<Work> {
  const { repository, base } = input;
  return withWorktree(input, async (open) => {
    const { branch, commit } = open.head;
    const { names } = await uncommittedFiles(open);
    const commits = commit === null ? 0 : await commitsSince(repository, base, commit);
    return { branch, uncommitted: names.size, commits };
  });
}

async function commitsSince(repository: string, base: string | null, head: string): Promise<number> {
  const from = await baseCommit(repository, base, await readRefs(repository, baseRefs(base)));
  const counted = await git(repository, ["rev-list", "--count", head, `^${from}`]);
  if (counted.code !== 0) throw gitFailure("count the commits", counted);
  return Number(counted.stdout);
}
