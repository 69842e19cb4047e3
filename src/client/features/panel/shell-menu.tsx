import { ArrowLeft, ArrowRight, Pencil, Plus, X } from "lucide-react";
import { flushSync } from "react-dom";
import type { Shell } from "../../shared/api/rows.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog, DialogHeader } from "../../shared/ui/dialog.tsx";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { type Choice, Picker } from "../../shared/ui/picker.tsx";
import { knownShells } from "../../tasks/shells.ts";
import { getTask } from "../../tasks/tasks.ts";
import { renamingShell } from "./rename-field.tsx";
import { askToClose, closeShell, moveShell, openShell } from "./shell-actions.ts";

/** Everything that can be done with a shell, without a mouse. */
export function ShellMenu({ shell }: { shell: Shell }) {
  const shells = knownShells(shell.taskId);
  const at = shells.findIndex(({ id }) => id === shell.id);
  const choices: Choice[] = [
    {
      id: "rename",
      label: "Rename",
      keys: "F2",
      icon: <Pencil size={14} />,
      run: () => renamingShell.set(shell.id),
    },
    ...(at > 0
      ? [{ id: "left", label: "Move left", icon: <ArrowLeft size={14} />, run: () => moveShell(shell, -1) }]
      : []),
    ...(at < shells.length - 1
      ? [{ id: "right", label: "Move right", icon: <ArrowRight size={14} />, run: () => moveShell(shell, 1) }]
      : []),
    {
      id: "new",
      label: "New shell",
      keys: "t",
      icon: <Plus size={14} />,
      run() {
        const task = getTask(shell.taskId);
        if (task) void openShell(task);
      },
    },
    {
      id: "close",
      label: shell.exit === null ? "Close…" : "Close",
      hint: shell.exit === null ? "Ends the shell and everything running in it." : "It has already ended.",
      keys: "Delete",
      icon: <X size={14} />,
      run: () => askToClose(shell),
    },
  ];
  return <Picker label={shell.name} placeholder={`${shell.name}…`} choices={choices} onClose={closeDialog} />;
}

/** Asks first, because ending a program can't be undone. */
export function CloseShellDialog({ shell }: { shell: Shell }) {
  return (
    <Dialog label="Close the shell" onClose={closeDialog}>
      <DialogHeader title={`Close ${shell.name}?`} onClose={closeDialog} />
      <div className="px-5 pb-4 text-sm text-muted">
        {shell.title !== "" && <p className="mb-2 font-mono text-xs break-words text-text">{shell.title}</p>}
        <p>
          This ends the shell and everything running in it. Its output is lost. Files stay as they are in the
          task's worktree.
        </p>
      </div>
      <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
        <Button onClick={closeDialog}>Keep it open</Button>
        <Button
          className="border-failed/50 text-failed"
          onClick={() => {
            flushSync(closeDialog); // while it is open, the next tab can't take the focus
            closeShell(shell);
          }}
        >
          Close shell
        </Button>
      </footer>
    </Dialog>
  );
}
