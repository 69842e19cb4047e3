import { Ellipsis, Plus } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Shell, Task } from "../../shared/api/rows.ts";
import { useStore } from "../../shared/stores/store.ts";
import type { TabName } from "../../shared/stores/tab-memory.ts";
import { chooseTab, enterTab, shellTab } from "../../shared/stores/tabs.ts";
import { IconButton } from "../../shared/ui/button.tsx";
import { openDialog } from "../../shared/ui/open-dialog.ts";
import { useIsOpening } from "../../tasks/shells.ts";
import { RenameField, renamingShell } from "./rename-field.tsx";
import { askToClose, moveShell, moveShellTo, openShell } from "./shell-actions.ts";
import { ShellTab, tabLook } from "./shell-tab.tsx";
import { useTabDrag } from "./tab-drag.ts";

const NAMES = { terminal: "Terminal", task: "Task", history: "History" };

const tabId = (tab: TabName | null) => `tab-${tab}`;

interface TabBarProps {
  task: Task;
  shells: readonly Shell[];
  /** Null while something else is shown in the tabs' place. */
  current: TabName | null;
}

export function TabBar({ task, shells, current }: TabBarProps) {
  const row = useRef<HTMLDivElement>(null);
  const renaming = useStore(renamingShell);
  const { drag, begin } = useTabDrag(({ id, order }) => {
    const shell = shells.find((each) => each.id === id);
    if (shell && shells.indexOf(shell) !== order) void moveShellTo(shell, order);
  });
  const shown = drag ? carried(shells, drag) : shells;
  const tabs: TabName[] = ["terminal", ...shown.map(({ id }) => shellTab(id)), "task", "history"];
  const active = shells.find(({ id }) => shellTab(id) === current);

  useEffect(() => {
    document.getElementById(tabId(current))?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);

  function goTo(tab: TabName | undefined) {
    if (tab === undefined) return;
    chooseTab(task.id, tab);
    document.getElementById(tabId(tab))?.focus();
  }

  /** Delete does nothing on the other tabs: closing shell after shell must not end in deleting the task. */
  function close() {
    if (active !== undefined) askToClose(active);
  }

  /** Here, arrow keys move between tabs rather than cards. */
  function onKeyDown(event: React.KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = current === null ? -1 : tabs.indexOf(current);
    if (active !== undefined && step !== undefined && event.shiftKey) moveShell(active, step);
    else if (step !== undefined) goTo(tabs[(at + step + tabs.length) % tabs.length]);
    else if (event.key === "Home") goTo(tabs[0]);
    else if (event.key === "End") goTo(tabs.at(-1));
    else if (active !== undefined && event.key === "F2") renamingShell.set(active.id);
    else if (["Delete", "Backspace"].includes(event.key)) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const look = (tab: TabName) => ({
    id: tabId(tab),
    "aria-selected": tab === current,
    "aria-controls": current === null ? undefined : "task-tab",
    tabIndex: tab === (current ?? tabs[0]) ? 0 : -1,
    className: tabLook(tab === current),
  });
  const plain = (tab: "terminal" | "task" | "history") => (
    <button
      type="button"
      role="tab"
      {...look(tab)}
      onClick={() => (tab === "terminal" ? enterTab(task.id, tab) : chooseTab(task.id, tab))}
    >
      {NAMES[tab]}
    </button>
  );

  return (
    <div ref={row} className="relative flex shrink-0 items-center border-b border-line px-3">
      {/* A tab list may contain only tabs; the two buttons below appear between its halves. */}
      <div role="tablist" aria-label="Parts of the task" onKeyDown={onKeyDown} className="contents">
        <div
          data-strip
          className="fade-right -mb-px flex min-w-0 overflow-x-auto overflow-y-hidden pr-2 [scrollbar-width:none]"
        >
          {plain("terminal")}
          {shown.map((shell) => (
            <ShellTab
              key={shell.id}
              shell={shell}
              look={look(shellTab(shell.id))}
              isCarried={drag?.id === shell.id}
              onCarry={begin}
              onRename={() => renamingShell.set(shell.id)}
            />
          ))}
        </div>
        <div className="order-last -mb-px ml-auto flex shrink-0 pl-2">
          {plain("task")}
          {plain("history")}
        </div>
      </div>
      {active && (
        <IconButton
          label={`Actions for ${active.name}`}
          onClick={() => openDialog({ kind: "shell-menu", shell: active })}
        >
          <Ellipsis size={16} />
        </IconButton>
      )}
      <NewShell task={task} isInMenu={active !== undefined} />
      {renaming !== null && active?.id === renaming && (
        <RenameField key={renaming} shell={active} over={tabId(current)} within={row} />
      )}
    </div>
  );
}

const carried = (shells: readonly Shell[], { id, order }: { id: string; order: number }) => {
  const shell = shells.find((each) => each.id === id);
  return shell ? shells.filter((each) => each !== shell).toSpliced(order, 0, shell) : shells;
};

/** On touch screens it is in the menu instead, if there is one. */
function NewShell({ task, isInMenu }: { task: Task; isInMenu: boolean }) {
  const isOpening = useIsOpening(task.id);
  return (
    <IconButton
      label="New shell"
      hint="T"
      aria-busy={isOpening}
      className={`${task.worktreePath === null ? "opacity-50" : ""} ${isInMenu ? "touch:hidden" : ""}`}
      onClick={() => !isOpening && openShell(task)}
    >
      <Plus size={16} />
    </IconButton>
  );
}
