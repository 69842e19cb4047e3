import { existsSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileIn } from "../disk/file-names.ts";
import { commonIfThere, trashedAdministrations, trashedFiles } from "./trash.ts";

/** Whether a worktree in the trash has repositories inside. Snapshots by older versions don't have their history. */
export async function holdsRepositories(repository: string, trashPath: string): Promise<boolean> {
  const common = await commonIfThere(repository);
  const administrations = common === null ? undefined : trashedAdministrations(common, trashPath);
  if (administrations !== undefined && existsSync(administrations)) {
    const names = await readdir(administrations);
    if (names.some((name) => existsSync(join(administrations, name, "modules")))) return true;
  }
  return hasRepositoryBelow(trashedFiles(trashPath), "");
}

async function hasRepositoryBelow(top: string, below: string): Promise<boolean> {
  for (const entry of await readdir(fileIn(top, below), { encoding: "buffer" })) {
    const name = below + entry.toString("latin1");
    if (!(await lstat(fileIn(top, name))).isDirectory()) continue;
    if (entry.toString("latin1") === ".git") return true;
    if (await hasRepositoryBelow(top, `${name}/`)) return true;
  }
  return false;
}
