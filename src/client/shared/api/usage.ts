import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";

export const USAGE = ["usage"];
const DAYS = 30;

const fetchUsage = (projectId: string | null) =>
  unwrap(api.usage.get({ query: { days: String(DAYS), ...(projectId !== null && { projectId }) } }));

export type UsageReport = Awaited<ReturnType<typeof fetchUsage>>;

/** What agents have cost in the last month. Refetched regularly, because running sessions keep adding to it. */
export const useUsage = (projectId: string | null) =>
  useQuery({
    queryKey: [...USAGE, projectId],
    queryFn: () => fetchUsage(projectId),
    staleTime: 10_000,
    refetchInterval: 60_000,
  });
