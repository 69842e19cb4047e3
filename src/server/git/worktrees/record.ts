// Records about a worktree: what it is going to be, before it is made, and then that it is complete.

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readRecord, writeRecord } from "../disk/records.ts";
import { administrationOf, canonicalPlace } from "../repository/administration.ts";
import { readRefs } from "../repository/base-commit.ts";
import type { ChosenBranch } from "../repository/branches.ts";
import type { Survey } from "../repository/survey.ts";
import { removeLeftovers } from "../run/inert-git.ts";
import { dropUnusedBranch } from "./unused-branch.ts";

export interface WantedWorktree {
  repository: string;
  path: string;
  /** Who asks. The same owner's work is continued; another owner's is set aside. */
  owner: string;
  /** What a new owner knows about the repository. It means that nothing was made for this owner before. */
  survey?: Survey | undefined;
  /** Used if there is no survey. */
  choose(): Promise<ChosenBranch>;
}

export interface CreatedWorktree {
  branch: string;
  baseCommit: string;
  /** For people. */
  notes: string[];
}

export interface Intent extends ChosenBranch {
  owner: string;
  isSecondTry?: boolean;
  /** Where its branch is; an older banto did not say. */
  repository?: string;
}

/** In the worktree's administrative directory: who made it, and that it is complete. */
export const RECORD = "banto.json";

/** undefined unless this owner's worktree exists and is complete. */
export async function finishedBefore(
  common: string,
  path: string,
  owner: string,
): Promise<CreatedWorktree | undefined> {
  const administration = await administrationOf(common, path);
  if (administration === undefined || !existsSync(path)) return undefined;
  const record = await readRecord<CreatedWorktree & Intent>(join(administration.directory, RECORD));
  if (record?.owner !== owner || !record.branch) return undefined;
  await Promise.all([rm(intentFile(path), { force: true }), removeLeftovers(path)]);
  return { branch: record.branch, baseCommit: record.baseCommit ?? "", notes: record.notes ?? [] };
}

/**
 * Writes to disk what is going to be made, so that another attempt uses the same branch and commit. Once it is made,
 * this becomes its record.
 */
export async function intend({ repository, path, owner, survey, choose }: WantedWorktree): Promise<Intent> {
  const before = await readRecord<Intent>(intentFile(path));
  if (before?.owner === owner && before.branch && before.baseCommit) {
    const { branch, baseCommit } = before;
    const isThere = await endsAt(repository, branch, baseCommit);
    return { owner, branch, baseCommit, isThere, isSecondTry: true, repository };
  }
  if (before !== undefined) await dropUnusedBranch(before);
  const intent = { ...(survey?.chosen ?? (await choose())), owner, repository };
  await writeRecord(intentFile(path), intent);
  return intent;
}

export async function endsAt(repository: string, branch: string, commit: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  return (await readRefs(repository, [ref])).get(ref) === commit;
}

export const intentFile = (path: string) => join(dirname(path), `.${basename(path)}.json`);

export async function isIntendedBy(owner: string, path: string): Promise<boolean> {
  return (await readRecord<Intent>(intentFile(await canonicalPlace(path))))?.owner === owner;
}
