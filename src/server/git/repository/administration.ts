// A linked worktree is two directories: the files, and <repository>/worktrees/<name> with its HEAD, index and state.

import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { DomainError } from "../../errors.ts";
import { listIfThere, readIfThere } from "../disk/if-there.ts";

export interface Administration {
  name: string;
  /** Where HEAD, index and the state of a merge or rebase are. */
  directory: string;
  /** Where it says its files are. */
  worktree: string;
}

/**
 * The directory that all worktrees of a repository share; canonical. Found by the documented layout and not by asking
 * git, which answers nothing where a configuration is broken.
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
  throw new DomainError(
    "invalid",
    `${repository} is not a git repository any more; put it back and try again.`,
  );
}

/** The form in which git writes a worktree's place down, also when nothing is there. */
export async function canonicalPlace(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return join(await realpath(dirname(path)), basename(path));
}

/**
 * By scanning rather than through the worktree's `.git` file, which whoever works there can point elsewhere.
 * Worktrees below the given one belong to it and go where it goes.
 */
export async function administrationsWithin(common: string, path: string): Promise<Administration[]> {
  const all = await administrations(common);
  return all.filter(({ worktree }) => worktree === path || worktree.startsWith(`${path}/`));
}

export async function administrationOf(common: string, path: string): Promise<Administration | undefined> {
  return (await administrations(common)).find(({ worktree }) => worktree === path);
}

async function administrations(common: string): Promise<Administration[]> {
  const names = await listIfThere(join(common, "worktrees"));
  const read = names.map(async (name) => {
    const directory = join(common, "worktrees", name);
    const gitdir = await readIfThere(join(directory, "gitdir"));
    return gitdir && { name, directory, worktree: dirname(resolve(directory, gitdir.replace(/\n$/, ""))) };
  });
  return (await Promise.all(read)).filter((found) => found !== undefined && found !== "");
}
