import { X } from "lucide-react";
import { closeDialog } from "../commands/dialogs.ts";
import { IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { RepositoryField } from "./repository-field.tsx";

export function AddProject() {
  return (
    <Dialog label="Add a project" onClose={closeDialog}>
      <header className="flex items-center py-2 pr-2 pl-5">
        <h2 className="font-medium">Add a project</h2>
        <IconButton label="Close" className="ml-auto" onClick={closeDialog}>
          <X size={16} />
        </IconButton>
      </header>
      <div className="px-5 pb-5">
        <p className="mb-3 text-sm text-muted">
          A project is a git repository on the machine banto runs on. Nothing in it is changed by adding it.
        </p>
        <RepositoryField onAdded={closeDialog} />
      </div>
    </Dialog>
  );
}
