// What is written down about a worktree: before it is made what it is going to be, and then that it is whole.

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readRecord, writeRecord } from "../disk/records.ts";
import { administrationOf, canonicalPlace } from "../repository/administration.ts";
import { readRefs } from "../repository/base-commit.ts";
import type { ChosenBranch } from "../repository/branches.ts";
import type { Survey } from "../repository/survey.ts";
import { removeLeftovers } from "../run/inert-git.ts";

export interface WantedWorktree {
  repository: string;
  path: string;
  /** Who asks: called again by the same one, it goes on; what another one left is set aside. */
  owner: string;
  /** What is known of the repository by an owner who is new: then nothing can have been made before. */
  survey?: Survey | undefined;
  /** Where there is no survey. */
  choose(): Promise<ChosenBranch>;
}

export interface CreatedWorktree {
  branch: string;
  baseCommit: string;
  /** What a person should know. */
  notes: string[];
}

interface Intent extends ChosenBranch {
  owner: string;
  isSecondTry?: boolean;
}

/** In the worktree's administrative directory: who made it, and that it is whole. */
export const RECORD = "banto.json";

/** undefined unless this owner's worktree is there and whole. */
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
 * What is going to be made, on disk before it is, so that a second try takes the same branch from the same commit.
 * Once it is made, this becomes its record.
 */
export async function intend({ repository, path, owner, survey, choose }: WantedWorktree): Promise<Intent> {
  const before = survey === undefined ? await readRecord<Intent>(intentFile(path)) : undefined;
  if (before?.owner === owner && before.branch && before.baseCommit) {
    const { branch, baseCommit } = before;
    const isThere = await endsAt(repository, branch, baseCommit);
    return { owner, branch, baseCommit, isThere, isSecondTry: true };
  }
  const intent = { ...(survey?.chosen ?? (await choose())), owner };
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
