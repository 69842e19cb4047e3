import { removeTree } from "../../remove-tree.ts";
import { moveOnce } from "../disk/if-there.ts";
import { makeRemovable } from "../disk/removable.ts";
import { explaining, gitFailure } from "../run/failure.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";
import { commonIfThere, trashedAdministrations, trashedFiles } from "./trash.ts";

export const PURGE_STEPS = ["withdrawn", "removed", "forgotten"] as const;

export interface Purge {
  repository: string;
  trashPath: string;
  /** Snapshots to delete as well. */
  snapshotRefs?: string[];
  checkpoint?: (step: (typeof PURGE_STEPS)[number]) => void;
}

/** Deletes something from the trash for good, on request or because it has expired. */
export async function purge({ repository, trashPath, snapshotRefs = [], checkpoint }: Purge): Promise<void> {
  await explaining(`delete ${trashPath}`, async () => {
    const common = await commonIfThere(repository);
    const doomed = [trashedFiles(trashPath), common && trashedAdministrations(common, trashPath)]
      .filter((path) => path !== null)
      .map((path) => ({ path, withdrawn: `${path}.purging` }));
    // Renamed first, so that a restore finds everything or nothing.
    for (const { path, withdrawn } of doomed) await moveOnce(path, withdrawn);
    checkpoint?.("withdrawn");
    for (const { withdrawn } of doomed) await removeWithAnyRights(withdrawn);
    checkpoint?.("removed");
    if (common !== null) for (const ref of snapshotRefs) await deleteRef(repository, ref);
    checkpoint?.("forgotten");
    await removeWithAnyRights(trashPath);
  });
}

async function removeWithAnyRights(path: string): Promise<void> {
  await makeRemovable(path);
  await removeTree(path);
}

async function deleteRef(repository: string, ref: string): Promise<void> {
  const deleted = await gitWithoutHooks(repository, ["update-ref", "--no-deref", "-d", ref]);
  if (deleted.code !== 0) throw gitFailure(`delete ${ref}`, deleted);
}
