// What people are told when the disk is full: what has to wait, and what they could free.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { inUnits, storageFailure } from "../disk.ts";
import { DomainError } from "../errors.ts";
import { diskUse } from "../git/disk/disk-use.ts";
import { listIfThere } from "../git/disk/if-there.ts";
import { trashedFiles } from "../git/trash/trash.ts";
import type { SessionPaths } from "./paths.ts";

/** Whether something failed because a disk is full. */
export const isForSpace = (error: unknown): boolean =>
  storageFailure(error) === "full" || (error instanceof DomainError && error.code === "no_space");

export async function whatTrashFrees({ trashFolder }: SessionPaths): Promise<string> {
  const folders = (await listIfThere(trashFolder)).map((name) => join(trashFolder, name));
  const kept = folders.filter((folder) => existsSync(trashedFiles(folder)));
  if (kept.length === 0) return "The trash is empty.";
  let bytes = 0;
  for (const folder of kept) bytes += await diskUse(folder);
  const archived = `${kept.length} archived ${kept.length === 1 ? "worktree" : "worktrees"}`;
  return `The trash has ${archived}; emptying it would free ${inUnits(bytes)}.`;
}
