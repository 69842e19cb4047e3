// Restores an archived worktree: from the trash as it was or, if that was purged, from its snapshot.

import { existsSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { basename } from "node:path";
import { DomainError } from "../../errors.ts";
import { errorCode } from "../disk/if-there.ts";
import { requireFolder } from "../disk/require-folder.ts";
import { withLock } from "../lock.ts";
import { canonicalPlace, commonDirectory } from "../repository/administration.ts";
import { explaining } from "../run/failure.ts";
import { forgetTrash, trashedFiles } from "../trash/trash.ts";
import { finishedBefore, isIntendedBy } from "../worktrees/record.ts";
import { restoreFromSnapshot } from "./from-snapshot.ts";
import { cancelRestore, plannedPlace, restoreFromTrash } from "./from-trash.ts";
import type { RestoredWorktree, RestoreWorktree } from "./request.ts";

/** Called again after a crash with the same trashPath and path, it has the same result. */
export async function restoreWorktree(input: RestoreWorktree): Promise<RestoredWorktree> {
  return explaining(`restore ${input.path}`, async () => {
    const common = await commonDirectory(input.repository);
    const path = await canonicalPlace(input.path);
    for (const place of [path, input.trashPath, trashedFiles(input.trashPath)]) await requireFolder(place);
    const owner = `restore-${basename(input.trashPath)}`;
    const before = await finishedBefore(common, path, owner);
    if (before) {
      await forgetTrash(common, input.trashPath);
      return { branch: before.branch, path, notes: before.notes };
    }
    return withLock(input.trashPath, () => restore({ ...input, path, owner }, common));
  });
}

async function restore(
  input: RestoreWorktree & { owner: string },
  common: string,
): Promise<RestoredWorktree> {
  const { trashPath, snapshotRef, owner, path } = input;
  const planned = await plannedPlace(trashPath);
  if (planned !== undefined && planned !== path) await cancelRestore(common, trashPath, owner);
  const isInTrash = existsSync(trashedFiles(trashPath));
  // An earlier attempt has already moved the files.
  const isOnItsWay = planned === path && !isInTrash;
  if (!isOnItsWay && !(await isIntendedBy(owner, path))) await requireFree(path);
  if (isInTrash || isOnItsWay) return restoreFromTrash(input, common);
  if (snapshotRef !== null) return restoreFromSnapshot({ ...input, snapshotRef });
  throw new DomainError("not_found", "It is no longer in the trash, and it has no snapshot.");
}

async function requireFree(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return;
    throw new DomainError("conflict", `There is already something at ${path}. Move it away first.`);
  }
}
