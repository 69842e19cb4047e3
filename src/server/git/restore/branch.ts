import { existsSync } from "node:fs";
import { join } from "node:path";
import { readIfThere } from "../disk/if-there.ts";
import { branchAt, newBranch } from "../repository/branches.ts";
import { type Head, readHead } from "../repository/head.ts";
import { gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";

export interface BranchPlan {
  branch: string;
  commit: string | null;
  /** False leaves HEAD as it is: in the middle of a rebase it is on no branch. */
  shouldAttach: boolean;
}

/** Its own branch if that is free and unchanged; otherwise a new one at the same commit. No branch is ever moved. */
export async function planBranch(
  repository: string,
  administration: string | undefined,
  head: Head | undefined,
  fallback: string,
): Promise<BranchPlan> {
  const branch = head?.branch ?? fallback;
  if (administration === undefined || head === undefined)
    return { branch, commit: null, shouldAttach: false };
  const { commit } = head;
  const busyWith = head.branch === null ? await branchInProgress(administration) : undefined;
  if (busyWith !== undefined) return { branch: busyWith || fallback, commit, shouldAttach: false };
  if (commit === null) return { branch: await newBranch(repository, branch), commit, shouldAttach: true };
  const isThere = (await git(repository, ["cat-file", "-e", `${commit}^{commit}`])).code === 0;
  if (!isThere) return { branch, commit, shouldAttach: false };
  return { branch: (await branchAt(repository, branch, commit)).branch, commit, shouldAttach: true };
}

/** undefined if nothing is in progress; "" if the branch is unknown. */
async function branchInProgress(administration: string): Promise<string | undefined> {
  for (const [state, name] of [
    ["rebase-merge", "rebase-merge/head-name"],
    ["rebase-apply", "rebase-apply/head-name"],
    ["BISECT_START", "BISECT_START"],
  ] as const) {
    if (!existsSync(join(administration, state))) continue;
    const text = (await readIfThere(join(administration, name)))?.trim() ?? "";
    return /^[0-9a-f]{40,}$|^detached HEAD$/.test(text) ? "" : text.replace(/^refs\/heads\//, "");
  }
  return undefined;
}

export async function putOnBranch(
  repository: string,
  administration: string,
  plan: BranchPlan,
): Promise<void> {
  const { branch, commit, shouldAttach } = plan;
  if (!shouldAttach) return;
  const ref = `refs/heads/${branch}`;
  const isThere = (await git(repository, ["show-ref", "--verify", "--quiet", ref])).code === 0;
  if (!isThere && commit !== null) await must(repository, ["update-ref", ref, commit, ""]);
  if ((await readHead(administration)).branch === branch) return;
  await must(administration, ["--git-dir=.", "symbolic-ref", "-m", "banto: restored", "HEAD", ref]);
}

async function must(cwd: string, args: string[]): Promise<void> {
  const result = await gitWithoutHooks(cwd, args);
  if (result.code !== 0) throw gitFailure("put the worktree on its branch", result);
}
