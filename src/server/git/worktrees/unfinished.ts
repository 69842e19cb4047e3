// What is left of worktrees that were never finished: the server died over them, and nobody wants them any more.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../../remove-tree.ts";
import { listIfThere } from "../disk/if-there.ts";
import { readRecord } from "../disk/records.ts";
import { administrationOf, administrations } from "../repository/administration.ts";
import { commonIfThere, trashedAdministrations } from "../trash/trash.ts";
import { type Intent, intentFile, RECORD } from "./record.ts";
import { draftFolder } from "./register.ts";
import { dropUnusedBranch } from "./unused-branch.ts";

/** Names of worktrees: a task's id, and more where it is beside the task's own. */
const LEFT = /^\.(?:git-for-(?<private>\w{16}.*)-\w+|(?<intended>\w{16}[^.]*)\.json)$/;

/** Of all worktrees in a folder that nobody wants; gives the branches that were deleted. */
export async function sweepUnfinished(
  folder: string,
  isWanted: (worktree: string) => boolean,
): Promise<string[]> {
  const deleted: string[] = [];
  for (const file of await listIfThere(folder)) {
    const found = LEFT.exec(file)?.groups;
    const worktree = found?.private ?? found?.intended;
    if (worktree === undefined || isWanted(worktree)) continue;
    if (found?.private !== undefined) await removeTree(join(folder, file));
    else deleted.push(...(await forget(join(folder, worktree))));
  }
  return deleted;
}

/** See writeRecord and moveAcross. */
const HALF_WRITTEN = [`${RECORD}.new`, "index.new"];

/** Half-written files in what git has about worktrees in a folder, and about those in the trash. */
export async function sweepAdministrations(
  repository: string,
  { worktrees, trashFolder }: { worktrees: string; trashFolder: string },
): Promise<void> {
  const common = await commonIfThere(repository);
  if (common === null) return;
  const own = (await administrations(common)).filter(({ worktree }) => worktree.startsWith(`${worktrees}/`));
  const directories = own.map(({ directory }) => directory);
  for (const name of await listIfThere(trashFolder)) {
    const folder = trashedAdministrations(common, join(trashFolder, name));
    directories.push(...(await listIfThere(folder)).map((inner) => join(folder, inner)));
  }
  for (const directory of directories)
    for (const name of HALF_WRITTEN) await rm(join(directory, name), { force: true });
}

async function forget(path: string): Promise<string[]> {
  const intent = (await readRecord<Intent>(intentFile(path))) ?? {};
  const common = intent.repository === undefined ? null : await commonIfThere(intent.repository);
  // What git knows of may have been worked in: the next start moves it to the trash.
  if (common === null || (await administrationOf(common, path)) !== undefined) return [];
  await removeTree(draftFolder(common, path));
  const isDeleted = await dropUnusedBranch(intent);
  await rm(intentFile(path), { force: true });
  return isDeleted && intent.branch !== undefined ? [intent.branch] : [];
}
