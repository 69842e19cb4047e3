import { useEffect } from "react";
import { noteOrder } from "../features/asks/guard.ts";
import { Board } from "../features/board/board.tsx";
import { ConversationSlot } from "../features/board/card-session.tsx";
import { PurgeDialog } from "../features/history/purge-dialog.tsx";
import { SnapshotDialog } from "../features/history/snapshot-dialog.tsx";
import { TaskHistory } from "../features/history/task-history.tsx";
import { NotifySettings } from "../features/notify/notify-settings.tsx";
import { startNotifying } from "../features/notify/watch.ts";
import { CompleteDialog } from "../features/panel/complete-dialog.tsx";
import { CloseShellDialog, ShellMenu } from "../features/panel/shell-menu.tsx";
import { TaskPanel } from "../features/panel/task-panel.tsx";
import { AddProject } from "../features/projects/add-project.tsx";
import { FirstCommit } from "../features/projects/first-commit.tsx";
import { ProjectMenu } from "../features/projects/project-menu.tsx";
import { ProjectSettings } from "../features/projects/project-settings.tsx";
import { UnknownAgents } from "../features/unknown/unknown-agents.tsx";
import { isSignedOut } from "../shared/api/client.ts";
import { startLive } from "../shared/api/live.ts";
import { spendLoginCode } from "../shared/api/login.ts";
import { useProjects } from "../shared/api/projects.ts";
import { isNarrow } from "../shared/stores/narrow.ts";
import { useStore } from "../shared/stores/store.ts";
import { forgetProject, view } from "../shared/stores/view.ts";
import { Announcer } from "../shared/ui/announcer.tsx";
import { Button } from "../shared/ui/button.tsx";
import { ErrorBoundary } from "../shared/ui/error-boundary.tsx";
import { OnDemand } from "../shared/ui/on-demand.tsx";
import { dialog } from "../shared/ui/open-dialog.ts";
import { Toasts } from "../shared/ui/toast.tsx";
import { onOutcome } from "../tasks/changes.ts";
import { catchUp, takeEvent } from "../tasks/events.ts";
import { useTasks } from "../tasks/tasks.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { KeyHelp } from "./commands/key-help.tsx";
import { useKeyboard } from "./commands/keyboard.ts";
import { LoginLink } from "./commands/login-link.tsx";
import { MoveMenu } from "./commands/move-menu.tsx";
import { Palette } from "./commands/palette.tsx";
import { TaskMenu } from "./commands/task-menu.tsx";
import { CardConversation, PanelConversation } from "./conversation.tsx";
import { deleteTask } from "./delete-task.ts";
import { FirstRun } from "./first-run.tsx";
import { leaveTerminal } from "./leave-terminal.ts";
import { beginWithNeed } from "./next-need.ts";
import { showOutcome } from "./outcome-toasts.ts";
import { Rail } from "./rail.tsx";
import { SignIn } from "./sign-in.tsx";
import { TopBar } from "./top-bar.tsx";
import { UnseenChanges } from "./unseen-changes.tsx";

const loadTerminals = async () => (await import("../features/terminals/terminals.tsx")).Terminals;
const loadHistory = async () => (await import("../features/history/history.tsx")).History;

export function App() {
  const signedOut = useStore(isSignedOut);
  return (
    <div className="flex h-dvh flex-col">
      <ErrorBoundary name="The board" className="m-auto max-w-md p-5">
        {signedOut ? <SignIn /> : <Home />}
      </ErrorBoundary>
      <Announcer />
    </div>
  );
}

function Home() {
  const { tasks, error: taskError, refetch: refetchTasks } = useTasks();
  const { data: projects, error: projectError, refetch: refetchProjects } = useProjects();
  const { page, taskId, projectId, isFullScreen } = useStore(view);
  const isProjectGone = projects?.every(({ id }) => id !== projectId) && projectId !== null;
  const isLoaded = tasks !== undefined && projects !== undefined;
  const hasOneThing = useStore(isNarrow);
  const isPanelAlone = taskId !== null && (isFullScreen || hasOneThing);
  const error = isLoaded ? null : (taskError ?? projectError);
  useKeyboard();
  useEffect(() => {
    if (!isLoaded) return;
    spendLoginCode();
    startLive({ onConnected: catchUp, onEvent: takeEvent });
    startNotifying();
    onOutcome(showOutcome);
    beginWithNeed();
  }, [isLoaded]);
  useEffect(() => {
    if (isProjectGone) forgetProject();
  }, [isProjectGone]);

  if (error) {
    const retry = () => {
      void refetchTasks();
      void refetchProjects();
    };
    return <LoadFailure message={error.message} onRetry={retry} />;
  }
  return (
    <>
      <div className="flex min-h-0 flex-1">
        {isLoaded && projects.length > 0 && <Rail page={page} />}
        <div className={`relative flex min-w-0 flex-1 flex-col ${isPanelAlone ? "lg:hidden" : ""}`}>
          <TopBar projects={projects ?? []} />
          {isLoaded && <UnknownAgents />}
          {isLoaded && <UnseenChanges projects={projects} />}
          {!isLoaded ? (
            <Skeleton />
          ) : page === "history" ? (
            <OnDemand key={page} name="The history" load={loadHistory} props={{ projects }} />
          ) : projects.length === 0 ? (
            <FirstRun />
          ) : page === "terminals" ? (
            <OnDemand key={page} name="The terminals" load={loadTerminals} props={{ tasks, projects }} />
          ) : (
            <ConversationSlot value={CardConversation}>
              <Board tasks={tasks} projects={projects} onOrder={noteOrder} />
            </ConversationSlot>
          )}
          {!isPanelAlone && <Toasts />}
        </div>
        {isLoaded && taskId !== null && (
          <TaskPanel
            taskId={taskId}
            Conversation={PanelConversation}
            History={TaskHistory}
            onDelete={deleteTask}
            onLeaveTerminal={leaveTerminal}
          />
        )}
      </div>
      <BottomBar />
      <Dialogs />
    </>
  );
}

function Dialogs() {
  const open = useStore(dialog);
  switch (open?.kind) {
    case undefined:
      return null;
    case "palette":
      return <Palette />;
    case "keys":
      return <KeyHelp />;
    case "login-link":
      return <LoginLink />;
    case "notify":
      return <NotifySettings />;
    case "projects":
      return <ProjectMenu />;
    case "add-project":
      return <AddProject />;
    case "first-commit":
      return <FirstCommit projectId={open.projectId} />;
    case "project-settings":
      return <ProjectSettings projectId={open.projectId} />;
    case "complete":
      return <CompleteDialog task={open.task} found={open.found} />;
    case "move":
      return <MoveMenu taskId={open.taskId} />;
    case "task-menu":
      return <TaskMenu taskId={open.taskId} />;
    case "purge":
      return <PurgeDialog entry={open.entry} />;
    case "remove-snapshot":
      return <SnapshotDialog snapshot={open.snapshot} />;
    case "shell-menu":
      return <ShellMenu shell={open.shell} />;
    case "close-shell":
      return <CloseShellDialog shell={open.shell} />;
  }
}

function LoadFailure({ message, onRetry }: { message: string; onRetry(): void }) {
  return (
    <main className="m-auto flex max-w-md flex-col items-center gap-3 p-5 text-center">
      <h1 className="text-lg font-semibold">The board could not be loaded</h1>
      <p className="text-muted">{message} Is the server still running?</p>
      <Button onClick={onRetry}>Try again</Button>
    </main>
  );
}

function Skeleton() {
  return (
    <main
      aria-busy
      aria-label="Loading the board"
      className="grid min-h-0 flex-1 gap-3 p-5 lg:grid-cols-[1fr_1.25fr_1fr]"
    >
      {["backlog", "active", "done"].map((column) => (
        <div key={column} className="flex flex-col gap-2 narrow:not-first:hidden">
          <div className="skeleton mb-2 h-4 w-24" />
          <div className="skeleton h-14" />
          <div className="skeleton h-14" />
          <div className="skeleton h-14" />
        </div>
      ))}
    </main>
  );
}
