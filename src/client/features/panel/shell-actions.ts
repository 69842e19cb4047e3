// What people do with a task's shells.

import { ApiError } from "../../shared/api/client.ts";
import type { Shell, Task } from "../../shared/api/rows.ts";
import { rememberTab } from "../../shared/stores/tab-memory.ts";
import { chooseTab, chosenTab, enterTab, shellTab } from "../../shared/stores/tabs.ts";
import { view } from "../../shared/stores/view.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { openDialog } from "../../shared/ui/open-dialog.ts";
import { showError, showToast } from "../../shared/ui/toast.tsx";
import { changeShell, knownShells, type ShellChange } from "../../tasks/shells.ts";

const FAILURES: Record<ShellChange["kind"], string> = {
  open: "Couldn't open a shell",
  rename: "Couldn't rename the shell",
  move: "Couldn't move the shell",
  close: "Couldn't close the shell",
};

/** After a conflict, trying again is a new change with a new key. */
function showFailure<Asked extends ShellChange>(change: Asked, error: Error, send: (change: Asked) => void) {
  const code = error instanceof ApiError ? error.code : null;
  // Somebody else has closed it already.
  if (change.kind === "close" && code === "not_found") return;
  const title = FAILURES[change.kind];
  if (code !== "conflict") return showError(title, error, () => send(change));
  showToast({
    title,
    detail: error.message,
    isError: true,
    action: { label: "Try again", run: () => send({ ...change }) },
  });
}

async function change(asked: ShellChange): Promise<void> {
  await changeShell(asked).catch((error: Error) => showFailure(asked, error, change));
}

const opening = ({ id }: Task) => ({ kind: "open", taskId: id }) as const;

/** Opens a shell in the task's worktree and moves the focus into it. */
export async function openShell(task: Task, asked = opening(task)): Promise<void> {
  const { id, worktreePath } = task;
  if (worktreePath === null) {
    showToast({
      title: FAILURES.open,
      detail:
        "A shell opens in the task's worktree, which is created when its agent starts. Start the agent first.",
      isError: true,
    });
    return;
  }
  try {
    const shell = await changeShell(asked);
    if (shell === undefined) return;
    if (view.get().taskId === id) enterTab(id, shellTab(shell.id));
    else rememberTab(id, shellTab(shell.id));
  } catch (error) {
    showFailure(asked, error as Error, (again) => void openShell(task, again));
  }
}

export const renameShell = (shell: Shell, name: string) => change({ kind: "rename", shell, name });

/** `order` is its new place among the task's shells. */
export const moveShellTo = (shell: Shell, order: number) => change({ kind: "move", shell, order });

export function moveShell(shell: Shell, by: number) {
  const shells = knownShells(shell.taskId);
  const order = shells.findIndex(({ id }) => id === shell.id) + by;
  if (order < 0 || order >= shells.length) return;
  void moveShellTo(shell, order);
  announce(`${shell.name} is now ${order + 1} of ${shells.length}.`);
}

/** Asks before it closes a running shell, which can't be restored. One that has ended just closes. */
export function askToClose(shell: Shell) {
  if (shell.exit === null) openDialog({ kind: "close-shell", shell });
  else closeShell(shell);
}

/** Closes a shell. The tab beside it takes over. */
export function closeShell(shell: Shell) {
  const { id, taskId } = shell;
  const shells = knownShells(taskId);
  const at = shells.findIndex((each) => each.id === id);
  const next = shells[at - 1] ?? shells[at + 1];
  if (chosenTab.get()?.tab === shellTab(id)) {
    const tab = next === undefined ? "terminal" : shellTab(next.id);
    chooseTab(taskId, tab);
    document.getElementById(`tab-${tab}`)?.focus();
  }
  void change({ kind: "close", shell });
}
