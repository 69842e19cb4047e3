import type { AgentList } from "../../shared/api/agents.ts";

type Agent = AgentList["agents"][number];

/** An agent's version, and what keeps it from working. */
export function AgentNotes({ agent }: { agent: Agent | undefined }) {
  if (agent === undefined) return null;
  const problem = agent.problem ?? agent.notice;
  return (
    <div className="flex flex-col gap-1 text-xs empty:hidden">
      {agent.version && !problem?.includes(agent.version) && (
        <p className="text-faint">
          {agent.label} {agent.version}
        </p>
      )}
      {problem && <p className={agent.problem ? "text-failed" : "text-needs"}>{problem}</p>}
    </div>
  );
}
