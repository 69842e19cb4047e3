import { gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";
import { readRefs } from "./base-commit.ts";
import { freeBranch } from "./branch-name.ts";
import { HEADS } from "./head.ts";

export interface ChosenBranch {
  branch: string;
  baseCommit: string;
  /** It exists already, at that commit. */
  isThere?: boolean;
}

/** The prefix of all branches that could conflict with this name. */
export const beginningNear = (wanted: string) => `${HEADS}${wanted.split("/")[0]}`;

export const patternsFor = (beginning: string) => [`${beginning}*`, `${beginning}*/**`];

export async function newBranch(repository: string, wanted: string): Promise<string> {
  const refs = await readRefs(repository, patternsFor(beginningNear(wanted)));
  return freeAmong([...refs.keys()], wanted);
}

export function freeAmong(refs: string[], wanted: string): string {
  const heads = refs.filter((ref) => ref.startsWith(HEADS));
  return freeBranch(new Set(heads.map((ref) => ref.slice(HEADS.length))), wanted);
}

/**
 * The branch itself if it is still at the commit and not checked out anywhere; otherwise a new one with a similar name.
 */
export async function branchAt(repository: string, wanted: string, commit: string): Promise<ChosenBranch> {
  const listed = await git(repository, [
    "for-each-ref",
    "--format=%(objectname) %(worktreepath)",
    `refs/heads/${wanted}`,
  ]);
  if (listed.code !== 0) throw gitFailure(`read the branches of ${repository}`, listed);
  const isThere = listed.stdout === `${commit} \n`;
  return { branch: isThere ? wanted : await newBranch(repository, wanted), baseCommit: commit, isThere };
}
