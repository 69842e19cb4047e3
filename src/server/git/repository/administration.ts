// A linked worktree consists of two directories: the files, and <repository>/worktrees/<name> with HEAD, index and
// state.

import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { DomainError } from "../../errors.ts";
import { listIfThere, readIfThere } from "../disk/if-there.ts";

export interface Administration {
  name: string;
  /** Has HEAD, the index, and the state of a merge or rebase. */
  directory: string;
  /** The path of its files, according to itself. */
  worktree: string;
}

/**
 * The real path of the directory that all worktrees of a repository share. Found from the documented layout rather than
 * by asking git, which doesn't answer if a configuration is broken.
 */
export async function commonDirectory(repository: string): Promise<string> {
  const inside = join(repository, ".git");
  const gitFile = /^gitdir: (.+)$/m.exec((await readIfThere(inside)) ?? "")?.[1];
  const own = gitFile === undefined ? inside : resolve(repository, gitFile);
  const shared = (await readIfThere(join(own, "commondir")))?.trimEnd();
  for (const candidate of [shared === undefined ? own : resolve(own, shared), repository]) {
    if (existsSync(join(candidate, "objects")) && existsSync(join(candidate, "HEAD")))
      return realpath(candidate);
  }
  throw new DomainError("invalid", `${repository} is no longer a git repository. Put it back and try again.`);
}

/** A worktree's path in the form that git records, whether or not it exists. */
export async function canonicalPlace(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return join(await realpath(dirname(path)), basename(path));
}

/**
 * Found by scanning, not through the worktree's `.git` file, which an agent can change. Worktrees below the given one
 * belong to it and move with it.
 */
export async function administrationsWithin(common: string, path: string): Promise<Administration[]> {
  const all = await administrations(common);
  return all.filter(({ worktree }) => worktree === path || worktree.startsWith(`${path}/`));
}

export async function administrationOf(common: string, path: string): Promise<Administration | undefined> {
  return (await administrations(common)).find(({ worktree }) => worktree === path);
}

export async function administrations(common: string): Promise<Administration[]> {
  const names = await listIfThere(join(common, "worktrees"));
  const read = names.map(async (name) => {
    const directory = join(common, "worktrees", name);
    const gitdir = await readIfThere(join(directory, "gitdir"));
    return gitdir && { name, directory, worktree: dirname(resolve(directory, gitdir.replace(/\n$/, ""))) };
  });
  return (await Promise.all(read)).filter((found) => found !== undefined && found !== "");
}
