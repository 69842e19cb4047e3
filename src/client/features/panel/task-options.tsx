import { ChevronRight } from "lucide-react";
import { DEFAULT_AGENT } from "../../../contract.ts";
import { useProjects } from "../../shared/api/projects.ts";
import type { Task } from "../../shared/api/rows.ts";
import { OptionsFields } from "../../tasks/agent/options-fields.tsx";
import { looksSame, summarise } from "../../tasks/agent/options-text.ts";
import { updateTask } from "../../tasks/changes.ts";
import { isLive } from "../../tasks/display-status.ts";

/** How this task's agent is started, if that differs from its project. */
export function TaskOptions({ task }: { task: Task }) {
  const { data: projects = [] } = useProjects();
  if (task.agent !== DEFAULT_AGENT) return null;
  const project = projects.find(({ id }) => id === task.projectId);
  const text = summarise(task.agentOptions);
  return (
    <details className="group rounded-ui border border-line">
      <summary className="flex h-9 list-none items-center gap-2 rounded-ui px-3 text-sm font-medium touch:h-11">
        <ChevronRight size={14} aria-hidden className="shrink-0 text-faint group-open:rotate-90" />
        Agent options
        <span className="min-w-0 truncate text-xs font-normal text-faint">
          {text || (project?.agentOptions ? "project default" : "none")}
        </span>
      </summary>
      <div className="flex flex-col gap-4 border-t border-line p-3">
        <OptionsFields
          options={task.agentOptions}
          inherited={project?.agentOptions ?? null}
          onCommit={(agentOptions) => {
            if (!looksSame(agentOptions, task.agentOptions)) updateTask(task.id, { agentOptions });
          }}
        />
        {isLive(task) && (
          <p className="text-xs text-muted">They take effect the next time it starts or resumes.</p>
        )}
      </div>
    </details>
  );
}
