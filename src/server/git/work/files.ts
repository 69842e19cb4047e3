import { existsSync } from "node:fs";
import { DomainError } from "../../errors.ts";
import { fieldsOf } from "../disk/file-names.ts";
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

interface Place {
  repository: string;
  path: string;
}

/** A worktree, opened for a git that reads no configuration, with a copy of its index. */
export interface OpenWorktree {
  inert: InertGit;
  common: string;
  administration: Administration;
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

/** Names, in latin1, of files that differ from the last commit. Without ignored files. */
export async function uncommittedFiles({ inert, common, head }: OpenWorktree) {
  await inert.run(["update-index", "-q", "--refresh"]); // answers 1 when there is something to see
  const compare = ["diff-index", "--cached", "--name-only", "-z", head.commit ?? ""];
  const staged = head.commit === null ? ["ls-files", "-z"] : compare;
  const stagedNames = fieldsOf(await inert.must("compare what is staged", staged));
  const changed = await changedFiles(inert);
  const asStored = await lfsFilesAsStored(inert, common, changed);
  const isConflict = changed.some(({ status }) => status === "U");
  const { files, repositories } = await untrackedFiles(inert);
  const loose = [...changed.filter(({ name }) => !asStored.has(name)), ...files].map(({ name }) => name);
  return { names: new Set([...stagedNames, ...loose]), loose, isConflict, repositories };
}
