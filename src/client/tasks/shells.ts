// The extra terminals of a task. The server keeps their names and order, and events keep this list fresh.

import { useMutationState, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, invalidate, queryClient, unwrap } from "../shared/api/client.ts";
import { keyed } from "../shared/api/keyed.ts";
import type { Shell, Task } from "../shared/api/rows.ts";

const SHELLS = ["shells"];
const keyOf = (taskId: string) => [...SHELLS, taskId];

const fetchShells = (taskId: string) => unwrap(api.tasks({ id: taskId }).shells.get());

export type ShellChange =
  | { kind: "open"; taskId: string }
  | { kind: "rename"; shell: Shell; name: string }
  /** `order` is the place among the task's shells, 0 the first. */
  | { kind: "move"; shell: Shell; order: number }
  | { kind: "close"; shell: Shell };

const NONE: readonly Shell[] = [];
const MUTATION = ["shell"];
const PENDING = { mutationKey: MUTATION, status: "pending" } as const;

const usePending = () =>
  useMutationState({ filters: PENDING, select: (mutation) => mutation.state.variables as ShellChange });

/** The task's shells in order, with pending changes applied; undefined until they are known. */
export function useShells({ id, worktreePath }: Task): readonly Shell[] | undefined {
  const isPossible = worktreePath !== null;
  const { data, isError } = useQuery({
    queryKey: keyOf(id),
    queryFn: () => fetchShells(id),
    enabled: isPossible,
  });
  const pending = usePending();
  return useMemo(() => {
    if (!isPossible || (isError && data === undefined)) return NONE;
    return data && pending.reduce(applyChange, inOrder(data));
  }, [isPossible, isError, data, pending]);
}

/** The same, outside of a component. */
export const knownShells = (taskId: string): readonly Shell[] =>
  queryClient
    .getMutationCache()
    .findAll(PENDING)
    .map(({ state }) => state.variables as ShellChange)
    .reduce(applyChange, inOrder(queryClient.getQueryData<Shell[]>(keyOf(taskId)) ?? NONE));

export const useIsOpening = (taskId: string) =>
  usePending().some((change) => change.kind === "open" && change.taskId === taskId);

const inOrder = (shells: readonly Shell[]) =>
  shells.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));

function applyChange(shells: readonly Shell[], change: ShellChange): readonly Shell[] {
  if (change.kind === "open") return shells;
  const { shell } = change;
  const others = shells.filter(({ id }) => id !== shell.id);
  if (others.length === shells.length || change.kind === "close") return others;
  if (change.kind === "move") return others.toSpliced(change.order, 0, shell);
  return shells.map((each) => (each.id === shell.id ? { ...each, name: change.name } : each));
}

async function send(change: ShellChange): Promise<Shell | undefined> {
  if (change.kind === "open")
    return unwrap(api.tasks({ id: change.taskId }).shells.post(null, keyed(change)));
  const { id, taskId } = change.shell;
  const shell = api.tasks({ id: taskId }).shells({ shell: id });
  if (change.kind === "rename") return unwrap(shell.patch({ name: change.name }, keyed(change)));
  if (change.kind === "move") return unwrap(shell.patch({ order: change.order }, keyed(change)));
  await unwrap(shell.delete(undefined, keyed(change)));
  return undefined;
}

/** Resolves with the new shell for `open`. */
export function changeShell(change: ShellChange): Promise<Shell | undefined> {
  const taskId = change.kind === "open" ? change.taskId : change.shell.taskId;
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationKey: MUTATION,
    scope: { id: "shells" },
    mutationFn: send,
    // No automatic retry: a shell takes the focus when it opens.
    ...(change.kind === "open" && { retry: false }),
    // The change stays applied until the list has it too.
    onSettled: () => invalidate(keyOf(taskId)),
  });
  return mutation.execute(change);
}

const LIVE_SHELLS = ["live-shells"];

/** A running shell of any task. */
export type LiveShell = Pick<Shell, "id" | "taskId" | "name" | "startedAt">;

async function fetchLiveShells(): Promise<LiveShell[]> {
  const sessions = await unwrap(api.sessions.get());
  return sessions.flatMap(({ kind, id, taskId, name, startedAt }) =>
    kind === "shell" && id !== null && startedAt !== null ? [{ id, taskId, name, startedAt }] : [],
  );
}

export const useLiveShells = () =>
  useQuery({ queryKey: LIVE_SHELLS, queryFn: fetchLiveShells, refetchOnMount: "always" });

/** An event about a shell. */
type ShellEvent = Shell & { kind: "shell"; deletedAt: string | null };

export const isShellEvent = (event: object): event is ShellEvent => "kind" in event && event.kind === "shell";

export function takeShell({ kind: _kind, deletedAt, ...shell }: ShellEvent) {
  put(keyOf(shell.taskId), shell, deletedAt === null);
  put(LIVE_SHELLS, shell, deletedAt === null && shell.exit === null);
}

function put(queryKey: string[], shell: Shell, isThere: boolean) {
  // A list that is being fetched may be older than this.
  if (queryClient.isFetching({ queryKey }) > 0) void invalidate(queryKey);
  queryClient.setQueryData<Pick<Shell, "id">[]>(queryKey, (shells) => {
    if (shells === undefined) return shells;
    const others = shells.filter(({ id }) => id !== shell.id);
    return isThere ? [...others, shell] : others;
  });
}
