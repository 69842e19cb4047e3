import { Maximize2, Minimize2, Pin, PinOff, Trash2, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { AGENTS, LIMITS, TASK_STATUSES } from "../../contract.ts";
import { useProjects } from "../api/projects.ts";
import { type Task, useTaskActions, useTasks } from "../api/tasks.ts";
import { focusNextTo, focusTask } from "../board/board-state.ts";
import { COLUMN_NAMES } from "../board/columns.ts";
import { useStore } from "../state/store.ts";
import { closeTask, toggleFullScreen, view } from "../state/view.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Ago } from "../ui/time.tsx";
import { DraftField } from "./draft-field.tsx";
import { SessionHistory } from "./session-history.tsx";

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

function Details({ task, onClose }: { task: Task; onClose(): void }) {
  const { update, remove } = useTaskActions();
  const { data: projects = [] } = useProjects();
  const isFullScreen = useStore(view, (current) => current.isFullScreen);
  const project = projects.find(({ id }) => id === task.projectId);
  const Heading = isFullScreen ? "h1" : "h2";

  return (
    <>
      <Heading className="sr-only">{task.title}</Heading>
      <header className="flex h-11 shrink-0 items-center gap-1 border-b border-line pr-2 pl-5 narrow:h-14">
        <span className="truncate text-sm text-muted">{project?.name}</span>
        <div className="ml-auto flex">
          <IconButton
            label={task.pinned ? "Unpin" : "Pin"}
            hint="P"
            aria-pressed={task.pinned}
            onClick={() => update(task.id, { pinned: !task.pinned })}
          >
            {task.pinned ? <PinOff size={16} /> : <Pin size={16} />}
          </IconButton>
          <IconButton
            label="Delete"
            hint="⌫"
            onClick={() => {
              closeTask();
              focusNextTo(task.id);
              remove(task);
            }}
          >
            <Trash2 size={16} />
          </IconButton>
          <IconButton
            label={isFullScreen ? "Beside the board" : "Full screen"}
            hint="F"
            className="narrow:hidden"
            onClick={toggleFullScreen}
          >
            {isFullScreen ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
          </IconButton>
          <IconButton label="Close" hint="Esc" onClick={onClose}>
            <X size={16} />
          </IconButton>
        </div>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <div className="mx-auto flex max-w-3xl flex-col gap-4 px-5 py-5">
          <DraftField
            id="task-title"
            label="Title"
            value={task.title}
            maxLength={LIMITS.title}
            isOneLine
            onSave={(title) => update(task.id, { title })}
            className="text-xl font-semibold"
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Columns task={task} onMove={(status) => update(task.id, { status })} />
            <label className="flex items-center gap-2 text-sm text-faint">
              Agent
              <select
                value={task.agent}
                onChange={(event) => update(task.id, { agent: event.target.value })}
                className="h-7 rounded-md border border-line bg-card px-1.5 text-text touch:h-11"
              >
                {AGENTS.map((agent) => (
                  <option key={agent}>{agent}</option>
                ))}
              </select>
            </label>
            <span className="text-sm text-faint">
              created <Ago at={task.createdAt} />
            </span>
          </div>
          <DraftField
            id="task-description"
            label="Description"
            value={task.description ?? ""}
            maxLength={LIMITS.description}
            placeholder="What the agent should know: goal, constraints, how to check it."
            onSave={(description) => update(task.id, { description })}
            className="min-h-40 leading-6"
          />
          <SessionHistory taskId={task.id} />
        </div>
      </div>
    </>
  );
}

function Columns({ task, onMove }: { task: Task; onMove(status: Task["status"]): void }) {
  return (
    <fieldset className="flex rounded-md border border-line bg-card p-0.5">
      <legend className="sr-only">Column</legend>
      {TASK_STATUSES.map((status) => (
        <label
          key={status}
          className="flex h-6 items-center rounded px-2.5 text-sm text-muted has-checked:bg-line has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent touch:h-11"
        >
          <input
            type="radio"
            name="status"
            className="sr-only"
            checked={task.status === status}
            onChange={() => onMove(status)}
          />
          {COLUMN_NAMES[status]}
        </label>
      ))}
    </fieldset>
  );
}
