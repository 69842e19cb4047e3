// Repositories in a worktree in the trash whose history its snapshot doesn't hold, because they are in an ignored folder
// or because an older version made the snapshot.

import { existsSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileIn, readable } from "../disk/file-names.ts";
import { errorCode, readIfThere } from "../disk/if-there.ts";
import { clonedByLog, inFetchHead } from "../repository/fetched.ts";
import { allModulesIn } from "../repository/modules.ts";
import { git } from "../run/git.ts";
import { placesInside, readSnapshot } from "../snapshots/facts.ts";
import { commonIfThere, trashedAdministrations, trashedFiles } from "./trash.ts";

/** Whether a purge would take history of which the snapshot is no copy. */
export async function holdsOtherHistory(
  repository: string,
  trashPath: string,
  snapshotRef: string,
): Promise<boolean> {
  const files = trashedFiles(trashPath);
  const facts = await readSnapshot(repository, snapshotRef);
  if (facts === undefined) return true;
  const found = await repositoriesBelow(files, "");
  // A snapshot by an older version has only files of repositories inside.
  if (!facts.isAsOnDisk) return found.length > 0 || (await holdsModules(repository, trashPath));
  const kept = new Set(await placesInside(repository, facts));
  for (const name of found)
    if (!kept.has(name) && (await hasOwnHistory(join(files, readable(name), ".git")))) return true;
  return false;
}

async function holdsModules(repository: string, trashPath: string): Promise<boolean> {
  const common = await commonIfThere(repository);
  const folder = common === null ? undefined : trashedAdministrations(common, trashPath);
  if (folder === undefined || !existsSync(folder)) return false;
  return (await readdir(folder)).some((name) => existsSync(join(folder, name, "modules")));
}

/** None once a purge that was killed has removed the files. */
async function repositoriesBelow(top: string, below: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(fileIn(top, below), { encoding: "buffer" }).catch(orEmpty)) {
    const name = below + entry.toString("latin1");
    if (!(await lstat(fileIn(top, name))).isDirectory()) continue;
    if (entry.toString("latin1") === ".git") found.push(below.slice(0, -1));
    else found.push(...(await repositoriesBelow(top, `${name}/`)));
  }
  return found;
}

function orEmpty(cause: unknown): Buffer<ArrayBuffer>[] {
  if (errorCode(cause) === "ENOENT") return [];
  throw cause;
}

/** Whether it, or a submodule of it, has commits that were neither cloned nor fetched, or can't be read. */
async function hasOwnHistory(directory: string): Promise<boolean> {
  for (const own of [directory, ...(await allModulesIn(join(directory, "modules")))]) {
    const fetched = [
      ...inFetchHead(await readIfThere(join(own, "FETCH_HEAD"))),
      ...clonedByLog(await readIfThere(join(own, "logs/HEAD"))),
    ];
    const all = ["--all", "--reflog", "--not", "--remotes", ...fetched];
    const { code, stdout } = await git("/", [`--git-dir=${own}`, "rev-list", "--max-count=1", ...all]);
    if (code !== 0 || stdout !== "") return true;
  }
  return false;
}
