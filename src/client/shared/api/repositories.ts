import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";

/** Git repositories on the server's disk whose path contains the typed text. */
export const useRepositories = (typed: string) =>
  useQuery({
    queryKey: ["repositories", typed],
    queryFn: () => unwrap(api.repositories.get({ query: { q: typed } })),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    gcTime: 60_000,
  });
