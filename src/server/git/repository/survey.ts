import { cachedSettings, readSettings, type Settings } from "../run/settings.ts";
import { commonDirectory } from "./administration.ts";
import { baseCommit, baseRefs, readRefs } from "./base-commit.ts";
import { beginningNear, type ChosenBranch, freeAmong, patternsFor } from "./branches.ts";
import { type Refs, readRefFiles, type WantedRefs } from "./ref-files.ts";

interface Wish {
  repository: string;
  branch: string;
  /** null: detect it. */
  base: string | null;
}

/** What a new worktree will be made from, as of now. Only for the first attempt at making it. */
export interface Survey {
  chosen: ChosenBranch;
  settings: Settings;
  common: string;
}

/** Throws if there is nothing to start from. */
export async function surveyRepository(wish: Wish): Promise<Survey> {
  const common = await commonDirectory(wish.repository);
  const remembered = cachedSettings(wish.repository);
  const refs = remembered && (await readRefFiles(common, wantedFor(wish)));
  const [chosen, settings] = await Promise.all([
    chooseBranch(wish, refs),
    remembered ?? readSettings(wish.repository),
  ]);
  return { chosen, settings, common };
}

export async function chooseBranch(wish: Wish, found?: Refs): Promise<ChosenBranch> {
  const { repository, branch, base } = wish;
  const { names, objects } = found ?? (await askForRefs(repository, wantedFor(wish)));
  return { branch: freeAmong(names, branch), baseCommit: await baseCommit(repository, base, objects) };
}

const wantedFor = ({ branch, base }: Wish): WantedRefs => ({
  exactly: baseRefs(base),
  beginning: beginningNear(branch),
});

async function askForRefs(repository: string, { exactly, beginning }: WantedRefs): Promise<Refs> {
  const objects = await readRefs(repository, [...exactly, ...patternsFor(beginning)]);
  return { names: [...objects.keys()], objects };
}
