import { useQuery } from "@tanstack/react-query";
import { api, invalidate, mutate, unwrap } from "./client.ts";
import { keyed } from "./keyed.ts";
import type { Snapshot } from "./rows.ts";

const SNAPSHOTS = ["snapshots"];

/** Newest first. Asked for when they are looked at: no event tells of them. */
export const useSnapshots = () =>
  useQuery({ queryKey: SNAPSHOTS, queryFn: () => unwrap(api.snapshots.get()), staleTime: 0 });

export async function removeSnapshot({ taskId, name }: Snapshot, change: object): Promise<void> {
  await mutate(() => unwrap(api.snapshots({ task: taskId })({ name }).delete(undefined, keyed(change))));
  void invalidate(SNAPSHOTS);
}

/** Frees what deleted snapshots took in the project's repository. */
export async function freeSpace(projectId: string, change: object) {
  const collect = () => api.projects({ id: projectId }).collect.post(undefined, keyed(change));
  return await mutate(() => unwrap(collect()));
}
