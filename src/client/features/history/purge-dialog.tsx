import { closeDialog } from "../../shared/stores/dialog.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog, DialogHeader } from "../../shared/ui/dialog.tsx";
import { type TrashEntry, usePurge } from "../../tasks/session-logs.ts";

/** The one thing that asks first, because it can't be undone. */
export function PurgeDialog({ entry }: { entry: TrashEntry }) {
  const purge = usePurge();
  return (
    <Dialog label="Delete for good" onClose={closeDialog}>
      <DialogHeader title="Delete this worktree for good?" onClose={closeDialog} />
      <div className="px-5 pb-4 text-sm text-muted">
        <p className="font-medium break-words text-text">{entry.title}</p>
        <p className="mt-2">
          Its files and banto's snapshot of them go now and can't be brought back. Commits on the branch{" "}
          <span className="font-mono text-xs break-all text-text">{entry.branch}</span> stay in the
          repository.
        </p>
      </div>
      <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
        <Button onClick={closeDialog}>Keep it</Button>
        <Button
          className="border-failed/50 text-failed"
          disabled={purge.isPending}
          onClick={() => {
            purge.mutate(entry);
            closeDialog();
          }}
        >
          Delete for good
        </Button>
      </footer>
    </Dialog>
  );
}
