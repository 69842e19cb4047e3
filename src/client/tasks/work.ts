// What a task's worktree holds, in words, and how much of it is on the branch. Pure.

import { TRASH_DAYS } from "../../contract.ts";
import type { Work } from "../shared/api/rows.ts";

const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

export function workWords({ uncommitted, commits }: Work): string {
  if (uncommitted > 0) {
    return `${counted(uncommitted, "file")} changed, not committed; ${counted(commits, "commit")}.`;
  }
  return commits === 0 ? "Nothing was changed." : `Everything is committed; ${counted(commits, "commit")}.`;
}

export const isAllOnBranch = ({ branch, uncommitted, commits }: Work) =>
  uncommitted === 0 && (branch !== null || commits === 0);

/** For work that is not all on the branch. */
export function branchHolds({ branch, commits }: Work): string {
  if (branch === null) return "No branch is checked out, so none would hold it.";
  return commits === 0
    ? `The branch ${branch} would hold none of it.`
    : `The branch ${branch} has ${counted(commits, "commit")}, but not these changes.`;
}

const KEPT = `The worktree stays in the trash for ${TRASH_DAYS} days.`;

/** Where the work is now. `message`: what it was committed with. Without `work`, nobody could look at it. */
export function afterCompleting(work: Work | undefined, message?: string): string {
  if (work === undefined) return KEPT;
  const { branch, uncommitted } = work;
  if (uncommitted > 0 && message === undefined) {
    const were =
      uncommitted === 1
        ? "1 file was not committed. It stays"
        : `${uncommitted} files were not committed. They stay`;
    return `${were} in the trash, with the worktree, for ${TRASH_DAYS} days.`;
  }
  const commits = work.commits + (uncommitted > 0 ? 1 : 0);
  if (commits === 0) return `Nothing was changed in it. ${KEPT}`;
  if (branch === null) return KEPT;
  return `The branch ${branch} has its ${counted(commits, "commit")}. ${KEPT}`;
}
