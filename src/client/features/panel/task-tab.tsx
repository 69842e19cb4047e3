import { LIMITS, TASK_STATUSES } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { Ago } from "../../shared/ui/time.tsx";
import { updateTask } from "../../tasks/changes.ts";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { descriptionOf } from "../../tasks/drafts.ts";
import { AgentField } from "./agent-field.tsx";
import { DraftField } from "./draft-field.tsx";
import { TaskOptions } from "./task-options.tsx";

/** The task's description, agent, options and column. */
export function TaskTab({ task }: { task: Task }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <div className="mx-auto flex max-w-3xl flex-col gap-4 px-5 py-4">
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <Columns task={task} onMove={(status) => updateTask(task.id, { status })} />
          <AgentField
            task={task}
            onChoose={(agent) =>
              updateTask(task.id, { agent, agentOptions: task.otherOptions?.[agent] ?? null })
            }
          />
          <span className="flex h-7 items-center gap-1 text-sm text-faint touch:h-11">
            created <Ago at={task.createdAt} />
          </span>
        </div>
        <DraftField
          id="task-description"
          draft={descriptionOf(task.id)}
          label="Description"
          value={task.description ?? ""}
          maxLength={LIMITS.description}
          placeholder="What the agent should know: goal, constraints, how to check it."
          onSave={(description, onTried) => updateTask(task.id, { description }, onTried)}
          className="min-h-40 leading-6"
        />
        <TaskOptions task={task} />
      </div>
    </div>
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
