import { useEffect, useRef } from "react";
import { type Task, useTasks } from "../api/tasks.ts";
import { focusTask } from "../board/board-state.ts";
import { hasNothing } from "../session/standing.ts";
import { useStore } from "../state/store.ts";
import { closeTask, view } from "../state/view.ts";
import { Button } from "../ui/button.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { PanelHead } from "./panel-head.tsx";
import { SessionBar } from "./session-bar.tsx";
import { TabBar } from "./tab-bar.tsx";
import { chosenTab, type TabName } from "./tabs.ts";
import { Talk } from "./talk.tsx";
import { TaskTab } from "./task-tab.tsx";
import { TerminalTab } from "./terminal-tab.tsx";

export function TaskPanel({ taskId }: { taskId: string }) {
  const { tasks } = useTasks();
  const task = tasks?.find(({ id }) => id === taskId);
  const isFullScreen = useStore(view, (current) => current.isFullScreen);
  const panel = useRef<HTMLElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: focuses when another task is opened
  useEffect(() => panel.current?.focus(), [taskId]);

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
      className={`enter flex min-w-0 flex-col bg-raised outline-none narrow:fixed narrow:inset-0 narrow:z-30 lg:border-l lg:border-line ${
        isFullScreen ? "lg:flex-1" : "lg:w-[min(40rem,46vw)] lg:shrink-0"
      }`}
    >
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

const TAB_VIEWS: Record<TabName, (props: { task: Task }) => React.ReactNode> = {
  terminal: TerminalTab,
  task: TaskTab,
  history: HistoryTab,
};

function Details({ task, onClose }: { task: Task; onClose(): void }) {
  const chosen = useStore(chosenTab, (choice) => (choice?.taskId === task.id ? choice.tab : null));
  const tab = chosen ?? (hasNothing(task) && task.sessionOperation === null ? "task" : "terminal");
  const View = TAB_VIEWS[tab];
  return (
    <>
      <PanelHead task={task} onClose={onClose} />
      <SessionBar task={task} />
      <Talk task={task} />
      <TabBar taskId={task.id} current={tab} />
      <div
        role="tabpanel"
        id="task-tab"
        aria-labelledby={`tab-${tab}`}
        className="flex min-h-0 flex-1 flex-col"
      >
        <View task={task} />
      </div>
    </>
  );
}
