import { useEffect, useRef } from "react";
import { Talk } from "../../app/conversation.tsx";
import { useStore } from "../../shared/stores/store.ts";
import { chosenTab, shellOf, type TabName } from "../../shared/stores/tabs.ts";
import { wantedTerminal } from "../../shared/stores/terminal-focus.ts";
import { closeTask, view } from "../../shared/stores/view.ts";
import { Button } from "../../shared/ui/button.tsx";
import { showToast } from "../../shared/ui/toast.tsx";
import { hasNothing } from "../../tasks/display-status.ts";
import { type Shell, useShells } from "../../tasks/shells.ts";
import { type Task, useTasks } from "../../tasks/tasks.ts";
import { focusTask } from "../board/board-state.ts";
import { HistoryTab } from "../history/task-history.tsx";
import { PanelEdge } from "./panel-edge.tsx";
import { PanelHead } from "./panel-head.tsx";
import { SessionBar } from "./session-bar.tsx";
import { TabBar } from "./tab-bar.tsx";
import { TaskTab } from "./task-tab.tsx";
import { ShellTerminal, TerminalTab } from "./terminal-tab.tsx";

export function TaskPanel({ taskId }: { taskId: string }) {
  const { tasks } = useTasks();
  const task = tasks?.find(({ id }) => id === taskId);
  const isFullScreen = useStore(view, (current) => current.isFullScreen);
  const isWanted = useStore(wantedTerminal, (id) => id === taskId);
  const panel = useRef<HTMLElement>(null);

  // Its terminal takes the keyboard from here, if there is one.
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
        <Details key={task.id} task={task} onClose={close} />
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

function Details({ task, onClose }: { task: Task; onClose(): void }) {
  const shells = useShells(task);
  const tab = useTab(task, shells);
  return (
    <>
      <PanelHead task={task} onClose={onClose} />
      <SessionBar task={task} />
      <Talk task={task} />
      <TabBar task={task} shells={shells ?? []} current={tab} />
      <div
        role="tabpanel"
        id="task-tab"
        aria-labelledby={`tab-${tab}`}
        className="flex min-h-0 flex-1 flex-col"
      >
        <TabView task={task} shells={shells ?? []} tab={tab} />
      </div>
    </>
  );
}

/** What the person chose, while that is there; else what the session suggests. */
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
  return hasNothing(task) && task.sessionOperation === null ? "task" : "terminal";
}

interface TabViewProps {
  task: Task;
  shells: readonly Shell[];
  tab: TabName;
}

function TabView({ task, shells, tab }: TabViewProps) {
  if (tab === "task") return <TaskTab task={task} />;
  if (tab === "history") return <HistoryTab task={task} />;
  if (tab === "terminal") return <TerminalTab task={task} />;
  const shell = shells.find(({ id }) => id === shellOf(tab));
  return shell && <ShellTerminal key={shell.id} shell={shell} />;
}
