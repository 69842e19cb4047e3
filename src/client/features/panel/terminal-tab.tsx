import { useEffect, useRef } from "react";
import type { Shell, Task } from "../../shared/api/rows.ts";
import { useStore } from "../../shared/stores/store.ts";
import { wantedTerminal } from "../../shared/stores/terminal-focus.ts";
import { isLive } from "../../tasks/display-status.ts";
import { TerminalView } from "../../terminal/terminal-view.tsx";
import { Hint, LastOutput } from "./last-output.tsx";

interface OnLeave {
  onLeave(taskId: string): void;
}

export function TerminalTab({ task, onLeave }: { task: Task } & OnLeave) {
  const { sessionId, sessionStatus, worktreePath } = task;
  const isOpen = sessionId !== null && worktreePath !== null && HAS_TERMINAL.includes(sessionStatus);
  if (!isOpen) return <NoTerminal task={task} />;
  return <Terminal key={sessionId} taskId={task.id} isRunning={isLive(task)} onLeave={onLeave} />;
}

const HAS_TERMINAL: Task["sessionStatus"][] = ["running", "waiting_for_input", "done", "failed"];

export function ShellTerminal({ shell, onLeave }: { shell: Shell } & OnLeave) {
  return (
    <Terminal
      key={shell.id}
      taskId={shell.taskId}
      shell={shell.id}
      isRunning={shell.exit === null}
      onLeave={onLeave}
    />
  );
}

interface TerminalProps extends OnLeave {
  taskId: string;
  shell?: string;
  isRunning: boolean;
}

/** Takes the focus when asked to, as soon as the terminal is there. If its program has ended, the board keeps it. */
function Terminal({ taskId, shell, isRunning, onLeave }: TerminalProps) {
  const box = useRef<HTMLDivElement>(null);
  const isWanted = useStore(wantedTerminal, (id) => id === taskId);
  useEffect(() => {
    const field = box.current?.querySelector("textarea");
    if (!isWanted || field == null) return;
    wantedTerminal.set(null);
    if (isRunning) field.focus();
  }, [isWanted, isRunning]);

  function takesFocus(): boolean {
    if (wantedTerminal.get() !== taskId) return false;
    wantedTerminal.set(null);
    return isRunning && !isSomeoneTyping();
  }

  return (
    <div ref={box} data-terminal className="min-h-0 flex-1">
      <TerminalView
        taskId={taskId}
        {...(shell !== undefined && { shell })}
        takesFocus={takesFocus}
        onLeave={() => onLeave(taskId)}
      />
    </div>
  );
}

/** The focus must not be taken from somebody who is typing. */
const isSomeoneTyping = () => document.activeElement?.matches("input, textarea, select") ?? false;

function NoTerminal({ task }: { task: Task }) {
  if (isLive(task)) return <Coming taskId={task.id} />;
  if (task.sessionStatus !== null) return <LastOutput task={task} />;
  return <Hint>Start the agent to see its terminal here.</Hint>;
}

/** After a click on Start its button is gone and nothing has the focus, so the terminal takes it. */
function Coming({ taskId }: { taskId: string }) {
  useEffect(() => {
    if (document.activeElement === document.body) wantedTerminal.set(taskId);
  }, [taskId]);
  return <Hint>Opening the terminal…</Hint>;
}
