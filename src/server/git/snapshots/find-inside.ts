// Finds repositories inside a worktree: submodules, and those that somebody created or cloned there.

import { readdir, realpath } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fieldsOf, fileIn } from "../disk/file-names.ts";
import { listIfThere, lstatIfThere, readIfThere } from "../disk/if-there.ts";
import { modulesIn } from "../repository/modules.ts";
import type { InertGit } from "../run/inert-git.ts";
import type { InnerFacts } from "./facts.ts";

const AT_ONCE = 256;

export interface InsideFound {
  repositories: Omit<InnerFacts, "snapshot">[];
  /** Folders whose history can't be located. */
  unclear: string[];
}

/** `untracked`: repositories in folders of which the worktree's index has nothing. */
export async function repositoriesInside(
  inert: InertGit,
  administration: string | undefined,
  untracked: string[],
): Promise<InsideFound> {
  const folder = join(administration ?? inert.directory, "modules");
  const modules = new Map<string, string>();
  for (const path of await modulesIn(folder)) modules.set(await realpath(path), relative(folder, path));
  const index = fieldsOf(await inert.must("list submodules", ["ls-files", "--stage", "-z"]));
  const links = index.filter((entry) => entry.startsWith("160000 "));
  const submodules = new Set(links.map(nameOf));
  const found: InsideFound = { repositories: [], unclear: [] };
  const others = [...untracked, ...(await amongTracked(inert.worktree, index.map(nameOf)))];
  // What is inside another one is kept with that.
  const isInAnother = (name: string) => others.some((other) => name.startsWith(`${other}/`));
  const outermost = others.filter((name) => !isInAnother(name));
  for (const below of new Set([...submodules, ...outermost])) {
    const place = await placeOf(inert.worktree, below, submodules.has(below));
    const module = place.kind === "pointer" ? modules.get(place.to) : undefined;
    if (place.kind === "own") found.repositories.push({ below, module: null });
    else if (module !== undefined) {
      found.repositories.push({ below, module });
      modules.delete(place.kind === "pointer" ? place.to : "");
    } else if (place.kind === "unclear" || (place.kind === "pointer" && place.isInside)) {
      found.unclear.push(below);
    }
  }
  for (const module of modules.values()) found.repositories.push({ below: null, module });
  return found;
}

const nameOf = (entry: string) => entry.slice(entry.indexOf("\t") + 1);

/** Folders with tracked files that have become repositories, which git doesn't tell: it lists new files in them. */
async function amongTracked(worktree: string, names: string[]): Promise<string[]> {
  const seen = new Set<string>();
  for (const name of names) {
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
      const folder = name.slice(0, at);
      if (seen.has(folder)) break;
      seen.add(folder);
    }
  }
  const folders = [...seen];
  const found: string[] = [];
  for (let at = 0; at < folders.length; at += AT_ONCE) {
    const some = folders.slice(at, at + AT_ONCE);
    const infos = await Promise.all(some.map((folder) => lstatIfThere(fileIn(worktree, `${folder}/.git`))));
    found.push(...some.filter((_, index) => infos[index] !== undefined));
  }
  return found;
}

type Place =
  | { kind: "own" | "none" | "unclear" }
  /** Its own data is elsewhere. It is kept only if that is inside the worktree or belongs to a submodule. */
  | { kind: "pointer"; to: string; isInside: boolean };

async function placeOf(worktree: string, below: string, isSubmodule: boolean): Promise<Place> {
  const folder = fileIn(worktree, below);
  const info = await lstatIfThere(folder);
  if (!info?.isDirectory()) return { kind: "none" };
  const top = await realpath(worktree);
  const real = Buffer.from(await realpath(folder, { encoding: "buffer" }));
  if (!real.equals(fileIn(top, below))) return { kind: "none" }; // a link replaced a folder
  const git = await lstatIfThere(fileIn(worktree, `${below}/.git`));
  if (git === undefined) {
    return { kind: isSubmodule && (await readdir(folder)).length > 0 ? "unclear" : "none" };
  }
  if (git.isDirectory()) return { kind: "own" };
  const pointer = git.isFile() ? await readIfThere(`${folder}/.git`) : undefined;
  const path = /^gitdir: (.+)$/m.exec(pointer ?? "")?.[1];
  if (path === undefined) return { kind: "unclear" };
  const named = resolve(real.toString(), path);
  if ((await listIfThere(named)).length === 0) return { kind: isSubmodule ? "unclear" : "none" };
  const to = await realpath(named);
  return { kind: "pointer", to, isInside: to.startsWith(`${top}/`) || isSubmodule };
}
