import { useEffect, useId, useRef } from "react";
import { AGENTS } from "../../../contract.ts";
import { useAgents } from "../../shared/api/agents.ts";
import type { Task } from "../../shared/api/rows.ts";
import { useStore } from "../../shared/stores/store.ts";
import { wantsAgentField } from "../../shared/stores/tabs.ts";
import { AgentNotes } from "../../tasks/agent/agent-notes.tsx";
import { isLive } from "../../tasks/display-status.ts";

/** Chooses the task's agent, and says what is wrong with it. */
export function AgentField({ task, onChoose }: { task: Task; onChoose(agent: string): void }) {
  const { data } = useAgents();
  const id = useId();
  const field = useRef<HTMLSelectElement>(null);
  const isWanted = useStore(wantsAgentField);
  useEffect(() => {
    if (!isWanted) return;
    field.current?.focus();
    wantsAgentField.set(false);
  }, [isWanted]);

  const agents =
    data?.agents ?? AGENTS.map((name) => ({ name: name as string, label: name, available: true }));
  const isKnown = agents.some(({ name }) => name === task.agent);
  const problem = isKnown ? data?.problem : `The agent ${task.agent} no longer exists.`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="flex items-center gap-2 text-sm text-faint">
        Agent
        <select
          ref={field}
          id={id}
          value={task.agent}
          disabled={isLive(task)}
          aria-describedby={`${id}-problem`}
          onChange={(event) => onChoose(event.target.value)}
          className="h-7 max-w-52 rounded-md border border-line bg-card px-1.5 text-text disabled:appearance-none disabled:border-transparent disabled:bg-transparent touch:h-11"
        >
          {!isKnown && <option value={task.agent}>{task.agent} (unknown)</option>}
          {agents.map(({ name, label, available }) => (
            <option key={name} value={name}>
              {available ? label : `${label} (not installed)`}
            </option>
          ))}
        </select>
      </label>
      <div id={`${id}-problem`} className="flex max-w-sm flex-col gap-1 empty:hidden">
        {isLive(task) && (
          <p className="text-xs text-muted">It's running. You can choose another once it ends.</p>
        )}
        <AgentNotes agent={data?.agents.find(({ name }) => name === task.agent)} />
        {problem && <p className="text-xs text-failed">{problem}</p>}
      </div>
    </div>
  );
}
