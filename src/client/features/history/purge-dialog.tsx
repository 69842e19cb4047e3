import type { TrashEntry } from "../../shared/api/rows.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog, DialogHeader } from "../../shared/ui/dialog.tsx";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { attempt, showToast } from "../../shared/ui/toast.tsx";
import { purgeWorktree } from "../../tasks/session-logs.ts";

const purge = (entry: TrashEntry) =>
  attempt("Couldn't delete the worktree", async (change) => {
    await purgeWorktree(entry, change);
    showToast({ title: "Deleted permanently", detail: `A worktree of ${entry.title}.` });
  });

/** The one thing that asks first, because it can't be undone. */
export function PurgeDialog({ entry }: { entry: TrashEntry }) {
  return (
    <Dialog label="Delete permanently" onClose={closeDialog}>
      <DialogHeader title="Delete this worktree permanently?" onClose={closeDialog} />
      <div className="px-5 pb-4 text-sm text-muted">
        <p className="font-medium break-words text-text">{entry.title}</p>
        <p className="mt-2">
          Its files and banto's snapshot of them are deleted now and can't be restored. Commits on the branch{" "}
          <span className="font-mono text-xs break-all text-text">{entry.branch}</span> stay in the
          repository.
        </p>
      </div>
      <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
        <Button onClick={closeDialog}>Keep it</Button>
        <Button
          className="border-failed/50 text-failed"
          onClick={() => {
            void purge(entry);
            closeDialog();
          }}
        >
          Delete permanently
        </Button>
      </footer>
    </Dialog>
  );
}
