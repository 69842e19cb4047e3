import type { TrashEntry } from "../../shared/api/rows.ts";
import { attempt, showToast } from "../../shared/ui/toast.tsx";
import { purgeWorktree } from "../../tasks/session-logs.ts";
import { DeleteDialog } from "./delete-dialog.tsx";

const purge = (entry: TrashEntry) =>
  attempt("Couldn't delete the worktree", async (change) => {
    await purgeWorktree(entry, change);
    showToast({ title: "Deleted permanently", detail: `A worktree of ${entry.title}.` });
  });

export function PurgeDialog({ entry }: { entry: TrashEntry }) {
  return (
    <DeleteDialog
      label="Delete permanently"
      title="Delete this worktree permanently?"
      subject={entry.title}
      verb="Delete permanently"
      onDelete={() => void purge(entry)}
    >
      Its files and banto's snapshot of them are deleted now and can't be restored. Commits on the branch{" "}
      <span className="font-mono text-xs break-all text-text">{entry.branch}</span> stay in the repository.
    </DeleteDialog>
  );
}
