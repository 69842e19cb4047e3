import { type ComponentType, useEffect, useRef, useState } from "react";
import type { Shell, Task } from "../../shared/api/rows.ts";
import { focusTask } from "../../shared/stores/focus.ts";
import { isNarrow } from "../../shared/stores/narrow.ts";
import { useStore } from "../../shared/stores/store.ts";
import type { TabName } from "../../shared/stores/tab-memory.ts";
import { chosenTab, shellOf } from "../../shared/stores/tabs.ts";
import { wantedTerminal } from "../../shared/stores/terminal-focus.ts";
import { closeTask, view } from "../../shared/stores/view.ts";
import { Button } from "../../shared/ui/button.tsx";
import { ErrorBoundary } from "../../shared/ui/error-boundary.tsx";
import { showToast, Toasts } from "../../shared/ui/toast.tsx";
import { askOf, isNotStarted } from "../../tasks/display-status.ts";
import { useShells } from "../../tasks/shells.ts";
import { useTasks } from "../../tasks/tasks.ts";
import { PanelEdge } from "./panel-edge.tsx";
import { PanelHead } from "./panel-head.tsx";
import { SessionBar } from "./session-bar.tsx";
import { TabBar } from "./tab-bar.tsx";
import { TaskTab } from "./task-tab.tsx";
import { ShellTerminal, TerminalTab } from "./terminal-tab.tsx";

/** What the app provides: parts of other features, and what concerns the rest of the page. */
interface PanelParts {
  /** What the agent is asking or said last, with fields to answer. */
  Conversation: ComponentType<{ task: Task; isAlone?: boolean }>;
  History: ComponentType<{ task: Task }>;
  onDelete(task: Task): void;
  /** Moves the focus back to the board. */
  onLeaveTerminal(taskId: string): void;
}

export function TaskPanel({ taskId, ...parts }: { taskId: string } & PanelParts) {
  const { tasks } = useTasks();
  const task = tasks?.find(({ id }) => id === taskId);
  const isFullScreen = useStore(view, (current) => current.isFullScreen);
  const isWanted = useStore(wantedTerminal, (id) => id === taskId);
  const panel = useRef<HTMLElement>(null);

  // Its terminal, if there is one, takes the focus from here.
  useEffect(() => {
    if (isWanted && !panel.current?.contains(document.activeElement)) panel.current?.focus();
  }, [isWanted]);

  function close() {
    closeTask();
    focusTask(taskId);
  }

  return (
    <section
      ref={panel}
      data-panel
      role={isFullScreen ? "main" : "complementary"}
      tabIndex={-1}
      aria-label="Task"
      className={`enter relative flex min-w-0 flex-col bg-raised outline-none narrow:fixed narrow:inset-0 narrow:z-30 lg:border-l lg:border-line ${
        isFullScreen ? "lg:flex-1" : "panel-width lg:shrink-0"
      }`}
    >
      {!isFullScreen && <PanelEdge panel={panel} />}
      {task ? (
        <ErrorBoundary key={task.id} name="The task" of={task.updatedAt} className="m-auto p-8">
          <Details task={task} onClose={close} {...parts} />
        </ErrorBoundary>
      ) : (
        <Gone isLoading={!tasks} onClose={close} />
      )}
    </section>
  );
}

function Gone({ isLoading, onClose }: { isLoading: boolean; onClose(): void }) {
  if (isLoading) return null;
  return (
    <div className="m-auto flex flex-col items-center gap-3 p-8 text-center">
      <p className="text-muted">This task is not on the board. It may have been deleted.</p>
      <Button onClick={onClose}>Back to the board</Button>
    </div>
  );
}

function Details({ task, onClose, ...parts }: { task: Task; onClose(): void } & PanelParts) {
  const shells = useShells(task);
  const tab = useTab(task, shells);
  const { isAskFirst, showTabs } = useAskFirst(task);
  const isFullScreen = useStore(view, (current) => current.isFullScreen);
  // Elsewhere they are below the board.
  const hasToasts = useStore(isNarrow) || isFullScreen;
  if (isAskFirst) {
    return (
      <>
        <Toasts />
        <PanelHead task={task} isLow onDelete={parts.onDelete} onClose={onClose} />
        <parts.Conversation task={task} isAlone />
        <TabBar task={task} shells={shells ?? []} current={null} />
      </>
    );
  }
  return (
    <>
      <PanelHead task={task} onDelete={parts.onDelete} onClose={onClose} />
      <SessionBar task={task} />
      <parts.Conversation task={task} />
      <TabBar task={task} shells={shells ?? []} current={tab} />
      <div
        role="tabpanel"
        id="task-tab"
        aria-labelledby={`tab-${tab}`}
        onFocus={showTabs}
        className="relative flex min-h-0 flex-1 flex-col"
      >
        {hasToasts && <Toasts />}
        <TabView task={task} shells={shells ?? []} tab={tab} {...parts} />
      </div>
    </>
  );
}

/**
 * In a narrow window, a card that asks something opens on the ask, and stays on the next ones until a tab is chosen or
 * used.
 */
function useAskFirst(task: Task) {
  const isAsking = useStore(isNarrow) && askOf(task)?.canAnswer === true;
  const [isWanted, setWanted] = useState(isAsking);
  const isAskFirst = isAsking && isWanted;
  const showTabs = () => setWanted(false);
  useEffect(() => chosenTab.subscribe(() => setWanted(false)), []);
  useEffect(() => {
    if (isAskFirst) wantedTerminal.set(null);
  }, [isAskFirst]);
  return { isAskFirst, showTabs };
}

/** The tab that the person chose, as long as it exists; otherwise it depends on the session. */
function useTab(task: Task, shells: readonly Shell[] | undefined): TabName {
  const chosen = useStore(chosenTab, (choice) => (choice?.taskId === task.id ? choice.tab : null));
  const shell = shells?.find(({ id }) => chosen !== null && id === shellOf(chosen));
  const isGone = chosen !== null && shellOf(chosen) !== undefined && shells !== undefined && !shell;
  const seen = useRef<Shell>(undefined);
  if (shell !== undefined) seen.current = shell;

  useEffect(() => {
    if (!isGone) return;
    chosenTab.set(null);
    if (seen.current === undefined) return;
    showToast({
      title: `${seen.current.name} is gone`,
      detail: "Its processes were ended, or it was closed in another window. The task's files are untouched.",
    });
    seen.current = undefined;
  }, [isGone]);

  if (chosen !== null && !isGone) return chosen;
  return isNotStarted(task) && task.sessionOperation === null ? "task" : "terminal";
}

interface TabViewProps extends PanelParts {
  task: Task;
  shells: readonly Shell[];
  tab: TabName;
}

function TabView({ task, shells, tab, History, onLeaveTerminal }: TabViewProps) {
  if (tab === "task") return <TaskTab task={task} />;
  if (tab === "history") return <History task={task} />;
  if (tab === "terminal") return <TerminalTab task={task} onLeave={onLeaveTerminal} />;
  const shell = shells.find(({ id }) => id === shellOf(tab));
  return shell && <ShellTerminal key={shell.id} shell={shell} onLeave={onLeaveTerminal} />;
}
