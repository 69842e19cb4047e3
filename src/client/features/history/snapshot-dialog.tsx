import type { Snapshot } from "../../shared/api/rows.ts";
import { removeSnapshot } from "../../shared/api/snapshots.ts";
import { attempt, showToast } from "../../shared/ui/toast.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { freeSpaceIn } from "./free-space.ts";

/** Deletes it, and offers to free its space at once. */
const remove = (snapshot: Snapshot) =>
  attempt("Couldn't delete the snapshot", async (change) => {
    await removeSnapshot(snapshot, change);
    showToast({
      title: "Snapshot deleted",
      detail: "Git will free its space by itself within a few weeks.",
      action: { label: "Free it now", run: () => void freeSpaceIn(snapshot) },
    });
  });

export function SnapshotDialog({ snapshot }: { snapshot: Snapshot }) {
  return (
    <DeleteDialog
      label="Delete the snapshot"
      title="Delete this snapshot?"
      subject={snapshot.title}
      verb="Delete it"
      onDelete={() => void remove(snapshot)}
    >
      {consequence(snapshot)}
    </DeleteDialog>
  );
}

function consequence({ kept }: Snapshot): string {
  if (kept === "in_trash" || kept === "partial")
    return "Its worktree stays in the trash, and is then the only copy.";
  if (kept === "only_copy") return "It has commits that no branch has. They will be lost for good.";
  return "Files that were never committed can no longer be restored from it. Commits on branches stay.";
}
