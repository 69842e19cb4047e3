import type { Snapshot } from "../../shared/api/rows.ts";
import { freeSpace } from "../../shared/api/snapshots.ts";
import { fileSize } from "../../shared/file-size.ts";
import { attempt, showToast } from "../../shared/ui/toast.tsx";

/** Frees what deleted snapshots left behind in a project's repository, and tells how much that was. */
export const freeSpaceIn = ({ projectId, projectName }: Pick<Snapshot, "projectId" | "projectName">) =>
  attempt(`Couldn't free space in ${projectName}`, async (change) => {
    const { freedBytes, laterBytes } = await freeSpace(projectId, change);
    const freed = freedBytes === 0 ? "Nothing" : fileSize(freedBytes);
    const later = `Another ${fileSize(laterBytes)} was written less than an hour ago and may be in use. It can be freed later.`;
    showToast({
      title: `${freed} freed in ${projectName}`,
      ...(laterBytes > 0 && { detail: later }),
    });
  });
