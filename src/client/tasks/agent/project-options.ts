// What a project says about agents. Pure.

import { type AgentOptions, DEFAULT_AGENT } from "../../../contract.ts";
import type { Project } from "../../shared/api/rows.ts";

type AgentsOfProject = Pick<Project, "agent" | "agentOptions" | "otherOptions">;

/** How it starts each agent. */
export const optionsByAgent = ({
  agent,
  agentOptions,
  otherOptions,
}: AgentsOfProject): Record<string, AgentOptions> => ({
  ...otherOptions,
  ...(agentOptions && { [agent ?? DEFAULT_AGENT]: agentOptions }),
});

/** The same as the project's row has it. */
export function withOptions(
  agent: string | null,
  options: Record<string, AgentOptions | null>,
): AgentsOfProject {
  const { [agent ?? DEFAULT_AGENT]: own = null, ...others } = options;
  const set = Object.entries(others).filter((one): one is [string, AgentOptions] => one[1] !== null);
  return { agent, agentOptions: own, otherOptions: set.length === 0 ? null : Object.fromEntries(set) };
}
