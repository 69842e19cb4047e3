import { Dialog, DialogHeader } from "../../shared/ui/dialog.tsx";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { RepositoryField } from "./repository-field.tsx";

export function AddProject() {
  return (
    <Dialog label="Add a project" onClose={closeDialog}>
      <DialogHeader title="Add a project" onClose={closeDialog} />
      <div className="px-5 pb-5">
        <p className="mb-3 text-sm text-muted">
          A project is a git repository on the machine banto runs on. Adding one changes nothing in it.
        </p>
        <RepositoryField onAdded={closeDialog} />
      </div>
    </Dialog>
  );
}
