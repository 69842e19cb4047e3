// Finds repositories inside a worktree: submodules, and those that somebody created or cloned there.

import { readdir, realpath } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fieldsOf, fileIn } from "../disk/file-names.ts";
import { listIfThere, lstatIfThere, readIfThere } from "../disk/if-there.ts";
import { modulesIn } from "../repository/modules.ts";
import type { InertGit } from "../run/inert-git.ts";
import type { InnerFacts } from "./facts.ts";

export interface InsideFound {
  repositories: Omit<InnerFacts, "snapshot">[];
  /** Folders whose history can't be located. */
  unclear: string[];
}

/** `untracked`: repositories that the worktree's index does not have. */
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
  const submodules = new Set(links.map((entry) => entry.slice(entry.indexOf("\t") + 1)));
  const found: InsideFound = { repositories: [], unclear: [] };
  for (const below of new Set([...submodules, ...untracked])) {
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
