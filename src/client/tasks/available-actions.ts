import { type AgentList, knownAgents, useAgents } from "../shared/api/agents.ts";
import { PROJECTS, queryClient } from "../shared/api/client.ts";
import { type Project, useProjects } from "../shared/api/projects.ts";
import { type Offer, offersFor, type Surroundings } from "./actions.ts";
import type { Task } from "./tasks.ts";

function surroundings(task: Task, projects: Project[] = [], list?: AgentList): Surroundings {
  const agent = list?.agents.find(({ name }) => name === task.agent);
  return {
    baseBranch: projects.find(({ id }) => id === task.projectId)?.baseBranch ?? null,
    agent: agent ?? { label: task.agent, canResume: true },
  };
}

/** What can be done to this session, by what is known without asking. */
export const offersNow = (task: Task): Offer[] =>
  offersFor(task, surroundings(task, queryClient.getQueryData<Project[]>(PROJECTS), knownAgents()));

export function useOffers(task: Task): Offer[] {
  const { data: projects } = useProjects();
  const { data: agents } = useAgents();
  return offersFor(task, surroundings(task, projects, agents));
}
