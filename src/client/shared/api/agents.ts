import { useQuery } from "@tanstack/react-query";
import { api, queryClient, unwrap } from "./client.ts";

const AGENTS = ["agents"];

const fetchAgents = () => unwrap(api.agents.get());

export type AgentList = Awaited<ReturnType<typeof fetchAgents>>;

/** Every agent. The file that adds some can change at any time, so the list goes stale quickly. */
export const useAgents = () => useQuery({ queryKey: AGENTS, queryFn: fetchAgents, staleTime: 5_000 });

/** As of the last fetch. */
export const knownAgents = () => queryClient.getQueryData<AgentList>(AGENTS);
