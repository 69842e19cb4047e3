import { openShell } from "../../features/panel/shell-actions.ts";
import { switchTab } from "../../features/panel/switch-tab.ts";
import { enterTile } from "../../features/terminals/tiles.ts";
import type { Task } from "../../shared/api/rows.ts";
import { wantedTerminal } from "../../shared/stores/terminal-focus.ts";
import { openTask, showPage, view } from "../../shared/stores/view.ts";
import { type Command, commandAbout, type OfTask } from "./command.ts";

const isPanelOpen = () => view.get().taskId !== null;

export function terminalCommands(ofTask: OfTask): Command[] {
  const withWorktree = (): Task | undefined => {
    const task = ofTask();
    return task?.worktreePath == null ? undefined : task;
  };

  return [
    {
      id: "terminal",
      title: "Enter or leave the terminal",
      group: "Go to",
      keys: ["Control+`"],
      isGlobal: true,
      isAvailable: () => isPanelOpen() || view.get().page === "terminals" || ofTask() !== undefined,
      run() {
        const { page, taskId } = view.get();
        const id = taskId ?? (page === "terminals" ? undefined : ofTask()?.id);
        if (id === undefined) enterTile();
        else if (taskId === null) openTask(id);
        else enterPanel(id);
      },
    },
    {
      id: "terminals",
      title: "Terminals",
      group: "Go to",
      keys: ["g t"],
      run: () => showPage("terminals"),
    },
    {
      // tile-keys.ts listens to these; listed here for the help.
      id: "tile",
      title: "Enter one of the terminals",
      group: "Go to",
      keys: ["1 – 9"],
      isKeyOnly: true,
      run: () => {},
    },
    {
      id: "new-shell",
      title: "New shell in the worktree",
      group: "Session",
      keys: ["t"],
      ...commandAbout(withWorktree, (task) => {
        if (view.get().taskId !== task.id) openTask(task.id);
        void openShell(task);
      }),
    },
    {
      id: "tab-before",
      title: "Tab to the left",
      group: "View",
      keys: ["["],
      isKeyOnly: true,
      isAvailable: isPanelOpen,
      run: () => switchTab(-1),
    },
    {
      id: "tab-after",
      title: "Tab to the right",
      group: "View",
      keys: ["]"],
      isKeyOnly: true,
      isAvailable: isPanelOpen,
      run: () => switchTab(1),
    },
  ];
}

/** Enters a terminal whose program has ended too: it can still be scrolled and copied from. */
function enterPanel(taskId: string) {
  wantedTerminal.set(taskId);
  document.querySelector<HTMLElement>("[data-panel] [data-terminal] textarea")?.focus();
}
