import { ChevronRight } from "lucide-react";
import { useAgents } from "../../shared/api/agents.ts";
import { useProjects } from "../../shared/api/projects.ts";
import type { Task } from "../../shared/api/rows.ts";
import { OptionsFields } from "../../tasks/agent/options-fields.tsx";
import { looksSame, summarise } from "../../tasks/agent/options-text.ts";
import { optionsByAgent } from "../../tasks/agent/project-options.ts";
import { updateTask } from "../../tasks/changes.ts";
import { isLive } from "../../tasks/display-status.ts";

/** How this task's agent is started, if that differs from its project. */
export function TaskOptions({ task }: { task: Task }) {
  const { data: list } = useAgents();
  const { data: projects = [] } = useProjects();
  const agent = list?.agents.find(({ name }) => name === task.agent);
  if (!agent?.options) return null;
  const project = projects.find(({ id }) => id === task.projectId);
  const inherited = (project && optionsByAgent(project)[task.agent]) ?? null;
  return (
    <details className="group rounded-ui border border-line">
      <summary className="flex h-9 list-none items-center gap-2 rounded-ui px-3 text-sm font-medium touch:h-11">
        <ChevronRight size={14} aria-hidden className="shrink-0 text-faint group-open:rotate-90" />
        Agent options
        <span className="min-w-0 truncate text-xs font-normal text-faint">
          {summarise(task.agentOptions) || (inherited ? "project default" : "none")}
        </span>
      </summary>
      <div className="flex flex-col gap-4 border-t border-line p-3">
        <OptionsFields
          key={task.agent}
          label={agent.label}
          known={agent.options}
          options={task.agentOptions}
          inherited={inherited}
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
