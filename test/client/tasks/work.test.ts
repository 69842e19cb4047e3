import { expect, test } from "bun:test";
import { afterCompleting, branchHolds, isAllOnBranch, workWords } from "../../../src/client/tasks/work.ts";

const work = (uncommitted: number, commits: number, branch: string | null = "banto/x") => ({
  branch,
  uncommitted,
  commits,
});

test("what is in a worktree is said in one line", () => {
  expect(workWords(work(2, 0))).toBe("2 files changed, not committed; 0 commits.");
  expect(workWords(work(1, 1))).toBe("1 file changed, not committed; 1 commit.");
  expect(workWords(work(0, 3))).toBe("Everything is committed; 3 commits.");
  expect(workWords(work(0, 0))).toBe("No changes.");
});

test("completing asks where the branch would not hold all of it", () => {
  expect(isAllOnBranch(work(0, 0))).toBe(true);
  expect(isAllOnBranch(work(0, 2))).toBe(true);
  expect(isAllOnBranch(work(1, 2))).toBe(false);
  expect(isAllOnBranch(work(0, 2, null))).toBe(false);
});

test("what the branch would hold is told as it is", () => {
  expect(branchHolds(work(2, 0))).toBe("None of this is on branch banto/x.");
  expect(branchHolds(work(2, 1))).toBe("Branch banto/x has 1 commit, but not these changes.");
  expect(branchHolds(work(0, 2, null))).toBe("None of this is on a branch: none is checked out.");
});

test("afterwards it says where the work is now, and nothing that is not so", () => {
  const kept = "The worktree stays in the trash for 30 days.";
  expect(afterCompleting(work(0, 3))).toBe(`Its 3 commits are on branch banto/x. ${kept}`);
  expect(afterCompleting(work(2, 1), "message")).toBe(`Its 2 commits are on branch banto/x. ${kept}`);
  expect(afterCompleting(work(2, 0))).toBe(
    "2 files weren't committed. They stay in the trash with the worktree for 30 days.",
  );
  expect(afterCompleting(work(0, 0))).toBe(`It has no changes. ${kept}`);
  expect(afterCompleting(undefined)).toBe(kept);
});
