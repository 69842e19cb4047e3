import { type AgentList, knownAgents, useAgents } from "../shared/api/agents.ts";
import { getProjects } from "../shared/api/lists.ts";
import { useProjects } from "../shared/api/projects.ts";
import type { Project, Task } from "../shared/api/rows.ts";
import { type ActionContext, type AvailableAction, availableActions } from "./actions.ts";

function contextOf(task: Task, projects: readonly Project[] = [], list?: AgentList): ActionContext {
  const agent = list?.agents.find(({ name }) => name === task.agent);
  return {
    baseBranch: projects.find(({ id }) => id === task.projectId)?.baseBranch ?? null,
    agent: agent ?? { label: task.agent, canResume: true },
  };
}

/** From what is cached, without asking the server. */
export const getActions = (task: Task): AvailableAction[] =>
  availableActions(task, contextOf(task, getProjects(), knownAgents()));

export function useActions(task: Task): AvailableAction[] {
  const { data: projects } = useProjects();
  const { data: agents } = useAgents();
  return availableActions(task, contextOf(task, projects, agents));
}
