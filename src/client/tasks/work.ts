// What a task's worktree holds, in words, and how much of it is on the branch. Pure.

import { TRASH_DAYS } from "../../contract.ts";
import type { Work } from "../shared/api/rows.ts";

const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

export function workWords({ uncommitted, commits }: Work): string {
  if (uncommitted > 0) {
    return `${counted(uncommitted, "file")} changed, not committed; ${counted(commits, "commit")}.`;
  }
  return commits === 0 ? "No changes." : `Everything is committed; ${counted(commits, "commit")}.`;
}

export const isAllOnBranch = ({ branch, uncommitted, commits }: Work) =>
  uncommitted === 0 && (branch !== null || commits === 0);

/** For work that is not all on the branch. */
export function branchHolds({ branch, commits }: Work): string {
  if (branch === null) return "None of this is on a branch: none is checked out.";
  return commits === 0
    ? `None of this is on branch ${branch}.`
    : `Branch ${branch} has ${counted(commits, "commit")}, but not these changes.`;
}

const KEPT = `The worktree stays in the trash for ${TRASH_DAYS} days.`;

/** Where the work is now. `message`: what it was committed with. Without `work`, nobody could look at it. */
export function afterCompleting(work: Work | undefined, message?: string): string {
  if (work === undefined) return KEPT;
  const { branch, uncommitted } = work;
  if (uncommitted > 0 && message === undefined) {
    const were =
      uncommitted === 1
        ? "1 file wasn't committed. It stays"
        : `${uncommitted} files weren't committed. They stay`;
    return `${were} in the trash with the worktree for ${TRASH_DAYS} days.`;
  }
  const commits = work.commits + (uncommitted > 0 ? 1 : 0);
  if (commits === 0) return `It has no changes. ${KEPT}`;
  if (branch === null) return KEPT;
  const those = commits === 1 ? "Its commit is" : `Its ${commits} commits are`;
  return `${those} on branch ${branch}. ${KEPT}`;
}
