import type { ReactNode } from "react";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog, DialogHeader } from "../../shared/ui/dialog.tsx";
import { closeDialog } from "../../shared/ui/open-dialog.ts";

interface DeleteDialogProps {
  label: string;
  title: string;
  /** Of the task that it belongs to. */
  subject: string;
  verb: string;
  onDelete(): void;
  children: ReactNode;
}

/** Asks first, because it can't be undone. */
export function DeleteDialog({ label, title, subject, verb, onDelete, children }: DeleteDialogProps) {
  return (
    <Dialog label={label} onClose={closeDialog}>
      <DialogHeader title={title} onClose={closeDialog} />
      <div className="px-5 pb-4 text-sm text-muted">
        <p className="font-medium break-words text-text">{subject}</p>
        <p className="mt-2">{children}</p>
      </div>
      <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
        <Button onClick={closeDialog}>Keep it</Button>
        <Button
          className="border-failed/50 text-failed"
          onClick={() => {
            onDelete();
            closeDialog();
          }}
        >
          {verb}
        </Button>
      </footer>
    </Dialog>
  );
}
