import { baseCommit, baseRefs, readRefs } from "./base-commit.ts";
import { type ChosenBranch, freeAmong, refsNear } from "./branches.ts";
import { readSettings, type Settings } from "./settings.ts";

interface Wish {
  repository: string;
  branch: string;
  /** null: what the repository itself starts from. */
  base: string | null;
}

/** What a new worktree is made from, as the repository is at the moment. */
export interface Survey {
  chosen: ChosenBranch;
  settings: Settings;
}

/** Refuses when there is nothing to start from. */
export async function surveyRepository(wish: Wish): Promise<Survey> {
  const [chosen, settings] = await Promise.all([chooseBranch(wish), readSettings(wish.repository)]);
  return { chosen, settings };
}

export async function chooseBranch({ repository, branch, base }: Wish): Promise<ChosenBranch> {
  const refs = await readRefs(repository, [...baseRefs(base), ...refsNear(branch)]);
  return { branch: freeAmong(refs, branch), baseCommit: await baseCommit(repository, base, refs) };
}
