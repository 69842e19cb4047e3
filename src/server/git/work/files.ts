import { existsSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../errors.ts";
import { fieldsOf, fileIn } from "../disk/file-names.ts";
import {
  type Administration,
  administrationOf,
  canonicalPlace,
  commonDirectory,
} from "../repository/administration.ts";
import { type Head, readHead } from "../repository/head.ts";
import { type InertGit, withInertGit } from "../run/inert-git.ts";
import { readSettings } from "../run/settings.ts";
import { lfsFilesAsStored } from "../snapshots/add-changes.ts";
import { changedFiles, untrackedFiles } from "../snapshots/changed-files.ts";
import { openCopyOfIndex } from "../snapshots/copy-index.ts";
import { repositoriesInside } from "../snapshots/find-inside.ts";

interface Place {
  repository: string;
  path: string;
}

/** A worktree, opened for a git that reads no configuration, with a copy of its index. */
export interface OpenWorktree {
  inert: InertGit;
  common: string;
  administration: Pick<Administration, "directory">;
  head: Head;
}

export async function withWorktree<T>(place: Place, act: (open: OpenWorktree) => Promise<T>): Promise<T> {
  const { repository } = place;
  const path = await canonicalPlace(place.path);
  const common = await commonDirectory(repository);
  const administration = await administrationOf(common, path);
  if (administration === undefined || !existsSync(path)) {
    throw new DomainError("conflict", `There is no worktree at ${path} any more.`);
  }
  const [settings, head] = await Promise.all([readSettings(repository), readHead(administration.directory)]);
  return withInertGit({ common, worktree: path, settings }, async (inert) => {
    await openCopyOfIndex(inert, administration.directory, head.commit);
    return act({ inert, common, administration, head });
  });
}

/** Names, in latin1, of files that differ from the last commit, in submodules too. Without ignored files. */
export async function uncommittedFiles(open: OpenWorktree) {
  const { inert, common, head } = open;
  await inert.run(["update-index", "-q", "--refresh"]); // answers 1 when there is something to see
  const compare = ["diff-index", "--cached", "--name-only", "-z", head.commit ?? ""];
  const staged = head.commit === null ? ["ls-files", "-z"] : compare;
  const stagedNames = fieldsOf(await inert.must("compare what is staged", staged));
  const changed = await changedFiles(inert);
  const asStored = await lfsFilesAsStored(inert, common, changed);
  const isConflict = changed.some(({ status }) => status === "U");
  const { files, repositories } = await untrackedFiles(inert);
  const loose = [...changed.filter(({ name }) => !asStored.has(name)), ...files].map(({ name }) => name);
  const submodules = await changedSubmodules(open);
  const inside = submodules.flatMap(({ names }) => names);
  return {
    names: new Set([...stagedNames, ...loose, ...inside]),
    loose,
    isConflict,
    /** Those that hold something uncommitted, which a commit out here can't have. */
    repositories: [...repositories, ...submodules.map(({ below }) => below)],
  };
}

/** Submodules with uncommitted files. One whose history can't be found counts as one file. */
async function changedSubmodules({ inert, administration }: OpenWorktree) {
  const found = await repositoriesInside(inert, administration.directory, []);
  const changed = found.unclear.map((below) => ({ below, names: [below] }));
  for (const [number, { below, module }] of found.repositories.entries()) {
    if (below === null) continue; // its files were deleted, which shows out here
    // A link, because arguments have to be text and the name may not be.
    const files = join(inert.directory, `submodule-${number}`);
    await symlink(fileIn(inert.worktree, below), files);
    const own = module === null ? `${files}/.git` : join(administration.directory, "modules", module);
    const names = await uncommittedInside(files, own, inert);
    if (names.size > 0) changed.push({ below, names: [...names].map((name) => `${below}/${name}`) });
  }
  return changed;
}

async function uncommittedInside(files: string, own: string, { settings }: InertGit): Promise<Set<string>> {
  const head = await readHead(own);
  return withInertGit({ common: own, worktree: files, settings }, async (inert) => {
    await openCopyOfIndex(inert, own, head.commit);
    const open = { inert, common: own, administration: { directory: own }, head };
    return (await uncommittedFiles(open)).names;
  });
}
