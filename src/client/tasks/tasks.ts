import { useMutationState, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queryClient } from "../shared/api/client.ts";
import { fetchList, getTasks, TASKS } from "../shared/api/lists.ts";
import type { Task } from "../shared/api/rows.ts";
import { applyChange, type Change } from "./change.ts";

/** The key of every change to a task. */
export const TASK_CHANGE = ["task"] as const;
const PENDING = { mutationKey: TASK_CHANGE, status: "pending" } as const;

/** The server's tasks with pending changes applied. If a change is refused, it simply no longer applies. */
export function useTasks() {
  const query = useQuery({ queryKey: TASKS, queryFn: () => fetchList<Task>(TASKS) });
  const pending = useMutationState({
    filters: PENDING,
    select: (mutation) => mutation.state.variables as Change,
  });
  const tasks = useMemo(
    () => query.data && pending.reduce(applyChange, query.data as readonly Task[]),
    [query.data, pending],
  );
  return { ...query, tasks };
}

/** How many changes the server has not answered yet. */
export const usePendingCount = () => useMutationState({ filters: PENDING }).length;

/** As the server knows it. */
export const getTask = (id: string) => getTasks().find((task) => task.id === id);

/** As the board shows it. */
export function getTaskAsShown(id: string): Task | undefined {
  const pending = queryClient.getMutationCache().findAll(PENDING);
  const changes = pending.map(({ state }) => state.variables as Change);
  return changes.reduce(applyChange, getTasks()).find((task) => task.id === id);
}
