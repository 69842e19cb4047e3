// What a person does with the shells of a task.

import { openDialog } from "../../shared/stores/dialog.ts";
import { rememberTab } from "../../shared/stores/tab-memory.ts";
import { chooseTab, chosenTab, enterTab, shellTab } from "../../shared/stores/tabs.ts";
import { view } from "../../shared/stores/view.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { showToast } from "../../shared/ui/toast.tsx";
import { changeShell, knownShells, type Shell } from "../../tasks/shells.ts";
import type { Task } from "../../tasks/tasks.ts";

/** In the task's worktree, and the keyboard goes into it. */
export async function openShell(task: Task): Promise<void> {
  const { id, worktreePath } = task;
  if (worktreePath === null) {
    showToast({
      title: "No shell was opened",
      detail: "A shell opens in the task's worktree, which is made when its agent starts. Start it first.",
      isError: true,
    });
    return;
  }
  const shell = await changeShell({ kind: "open", taskId: id }, () => void openShell(task));
  if (shell === undefined) return;
  if (view.get().taskId === id) enterTab(id, shellTab(shell.id));
  else rememberTab(id, shellTab(shell.id));
}

export function moveShell(shell: Shell, by: number) {
  const shells = knownShells(shell.taskId);
  const order = shells.findIndex(({ id }) => id === shell.id) + by;
  if (order < 0 || order >= shells.length) return;
  void changeShell({ kind: "move", shell, order });
  announce(`${shell.name} is now ${order + 1} of ${shells.length}.`);
}

/** A shell that runs can't be brought back, so it asks; one that has ended just goes. */
export function askToClose(shell: Shell) {
  if (shell.exit === null) openDialog({ kind: "close-shell", shell });
  else closeShell(shell);
}

/** The tab beside it takes over. */
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
  void changeShell({ kind: "close", shell });
}
