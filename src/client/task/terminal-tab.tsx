import { useEffect, useRef } from "react";
import type { Task } from "../api/tasks.ts";
import { focusTask } from "../board/board-state.ts";
import { isLive } from "../session/standing.ts";
import { TerminalView } from "../terminal/terminal-view.tsx";
import { Hint, LastWords } from "./last-words.tsx";

export function TerminalTab({ task }: { task: Task }) {
  const { sessionId, sessionStatus, worktreePath } = task;
  const isOpen = sessionId !== null && worktreePath !== null && HAS_TERMINAL.includes(sessionStatus);
  if (!isOpen) return <NoTerminal task={task} />;
  return <Terminal key={sessionId} task={task} />;
}

const HAS_TERMINAL: Task["sessionStatus"][] = ["running", "waiting_for_input", "done", "failed"];

/** Ctrl with ` goes into the terminal, and the terminal itself takes it as the way out. */
function Terminal({ task }: { task: Task }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const enter = (event: KeyboardEvent) => {
      const isChord = event.key === "`" && event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isChord || event.defaultPrevented || box.current?.contains(event.target as Node)) return;
      event.preventDefault();
      box.current?.querySelector("textarea")?.focus();
    };
    document.addEventListener("keydown", enter);
    return () => document.removeEventListener("keydown", enter);
  }, []);

  return (
    <div ref={box} className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1">
        <TerminalView taskId={task.id} onLeave={() => focusTask(task.id)} />
      </div>
    </div>
  );
}

function NoTerminal({ task }: { task: Task }) {
  if (isLive(task)) return <Hint>The terminal opens in a moment.</Hint>;
  if (task.sessionStatus !== null) return <LastWords task={task} />;
  return <Hint>Nothing runs here. Once the agent is started, its terminal shows in this place.</Hint>;
}
