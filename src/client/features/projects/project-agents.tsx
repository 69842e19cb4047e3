import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { type AgentOptions, DEFAULT_AGENT } from "../../../contract.ts";
import { type AgentList, useAgents } from "../../shared/api/agents.ts";
import { Field, INPUT } from "../../shared/ui/field.tsx";
import { AgentNotes } from "../../tasks/agent/agent-notes.tsx";
import { OptionsFields } from "../../tasks/agent/options-fields.tsx";
import { summarise } from "../../tasks/agent/options-text.ts";

export type OptionsByAgent = Record<string, AgentOptions | null>;

interface ProjectAgentsProps {
  /** The agent of new tasks; null: whatever was chosen last. */
  agent: string | null;
  options: OptionsByAgent;
  onChoose(agent: string | null): void;
  onChange(options: OptionsByAgent): void;
}

/** Which agent new tasks of a project get, and how each is started. */
export function ProjectAgents({ agent, options, onChoose, onChange }: ProjectAgentsProps) {
  const { data: list } = useAgents();
  const agents = list?.agents ?? [];
  const isKnown = agent === null || list === undefined || agents.some(({ name }) => name === agent);
  return (
    <section aria-label="Agents" className="flex flex-col gap-3 border-t border-line pt-3">
      <Field label="Agent of new tasks">
        {(id) => (
          <select
            id={id}
            value={agent ?? ""}
            onChange={(event) => onChoose(event.target.value || null)}
            className={INPUT}
          >
            <option value="">The one that was chosen last</option>
            {!isKnown && <option value={agent}>{agent} (unknown)</option>}
            {agents.map(({ name, label, available }) => (
              <option key={name} value={name}>
                {available ? label : `${label} (not installed)`}
              </option>
            ))}
          </select>
        )}
      </Field>
      {agents.map((one) => (
        <OneAgent
          key={one.name}
          agent={one}
          isFirstOpen={one.name === (agent ?? DEFAULT_AGENT)}
          options={options[one.name] ?? null}
          onChange={(changed) => onChange({ ...options, [one.name]: changed })}
        />
      ))}
    </section>
  );
}

interface OneAgentProps {
  agent: AgentList["agents"][number];
  isFirstOpen: boolean;
  options: AgentOptions | null;
  onChange(options: AgentOptions | null): void;
}

function OneAgent({ agent, isFirstOpen, options, onChange }: OneAgentProps) {
  const [isOpen, setIsOpen] = useState(isFirstOpen);
  if (agent.options === null) return null;
  return (
    <details
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      className="group rounded-ui border border-line"
    >
      <summary className="flex h-9 list-none items-center gap-2 rounded-ui px-3 text-sm font-medium touch:h-11">
        <ChevronRight size={14} aria-hidden className="shrink-0 text-faint group-open:rotate-90" />
        <span className="shrink-0">{agent.label}</span>
        <span className="min-w-0 truncate text-xs font-normal text-faint">{summarise(options)}</span>
      </summary>
      {isOpen && (
        <div className="flex flex-col gap-4 border-t border-line p-3">
          <AgentNotes agent={agent} />
          <OptionsFields
            label={agent.label}
            known={agent.options}
            options={options}
            inherited={null}
            onChange={onChange}
          />
        </div>
      )}
    </details>
  );
}
