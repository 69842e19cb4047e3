import { useQuery } from "@tanstack/react-query";
import { api, queryClient, unwrap } from "./client.ts";

const AGENTS = ["agents"];

const fetchAgents = () => unwrap(api.agents.get());

export type AgentList = Awaited<ReturnType<typeof fetchAgents>>;

/** Every agent there is. The file that adds some can change at any time, so it is asked for again and again. */
export const useAgents = () => useQuery({ queryKey: AGENTS, queryFn: fetchAgents, staleTime: 5_000 });

/** As they were when last asked for. */
export const knownAgents = () => queryClient.getQueryData<AgentList>(AGENTS);
