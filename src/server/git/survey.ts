import { commonDirectory } from "./administration.ts";
import { baseCommit, baseRefs, readRefs } from "./base-commit.ts";
import { type ChosenBranch, freeAmong, refsNear } from "./branches.ts";
import { readSettings, type Settings } from "./settings.ts";

interface Wish {
  repository: string;
  branch: string;
  /** null: what the repository itself starts from. */
  base: string | null;
}

/** What a new worktree is made from, as the repository is at the moment, for somebody who has not made one yet. */
export interface Survey {
  chosen: ChosenBranch;
  settings: Settings;
  common: string;
}

/** Refuses when there is nothing to start from. */
export async function surveyRepository(wish: Wish): Promise<Survey> {
  const [chosen, settings, common] = await Promise.all([
    chooseBranch(wish),
    readSettings(wish.repository),
    commonDirectory(wish.repository),
  ]);
  return { chosen, settings, common };
}

export async function chooseBranch({ repository, branch, base }: Wish): Promise<ChosenBranch> {
  const refs = await readRefs(repository, [...baseRefs(base), ...refsNear(branch)]);
  return { branch: freeAmong(refs, branch), baseCommit: await baseCommit(repository, base, refs) };
}
