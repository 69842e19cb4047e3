import { useMutation, useMutationState, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { DEFAULT_AGENT, type TaskStatus } from "../../contract.ts";
import { showError, showToast } from "../ui/toast.tsx";
import { api, fetchList, queryClient, TASKS, unwrap, upsert } from "./client.ts";

export type Task = NonNullable<Awaited<ReturnType<typeof api.tasks.get>>["data"]>[number];

type TaskPatch = Partial<Pick<Task, "title" | "description" | "pinned" | "agent" | "status" | "position">>;

/** Everything a person can do to a task. While one is on its way, the board shows it as done. */
type Change =
  | { kind: "create"; projectId: string; title: string; status: TaskStatus; at: number }
  | { kind: "update"; id: string; patch: TaskPatch }
  | { kind: "remove"; task: Task }
  | { kind: "restore"; task: Task };

function send(change: Change): Promise<Task> {
  switch (change.kind) {
    case "create":
      return unwrap(
        api.tasks.post({ projectId: change.projectId, title: change.title, status: change.status }),
      );
    case "update":
      return unwrap(api.tasks({ id: change.id }).patch(change.patch));
    case "remove":
      return unwrap(api.tasks({ id: change.task.id }).delete());
    case "restore":
      return unwrap(api.tasks({ id: change.task.id }).restore.post());
  }
}

const FAILURE = {
  create: "The task was not created",
  update: "The change was not saved",
  remove: "The task was not deleted",
  restore: "The task was not brought back",
};

const MUTATION_KEY = ["task"];

/** One at a time and in order, so that a later change never overtakes an earlier one. */
export function useChangeTask() {
  const { mutate } = useMutation({
    mutationKey: MUTATION_KEY,
    scope: { id: "tasks" },
    mutationFn: send,
    onSuccess: (task) => upsert(TASKS, task),
    onError: (error, change) => showError(FAILURE[change.kind], error, () => mutate(change)),
  });
  return mutate;
}

export function useTaskActions() {
  const change = useChangeTask();
  return useMemo(
    () => ({
      create: (projectId: string, title: string, status: TaskStatus) =>
        change({ kind: "create", projectId, title, status, at: Date.now() }),
      update: (id: string, patch: TaskPatch) => change({ kind: "update", id, patch }),
      remove(task: Task) {
        change({ kind: "remove", task });
        showToast({
          title: "Task deleted",
          detail: task.title,
          action: { label: "Undo", run: () => change({ kind: "restore", task }) },
        });
      },
    }),
    [change],
  );
}

/** The server's tasks with what is on its way laid over them. A refusal takes its layer away again by itself. */
export function useTasks() {
  const query = useQuery({ queryKey: TASKS, queryFn: () => fetchList<Task>("/api/tasks") });
  const pending = useMutationState({
    filters: { mutationKey: MUTATION_KEY, status: "pending" },
    select: (mutation) => mutation.state.variables as Change,
  });
  const tasks = useMemo(
    () => query.data && pending.reduce(applyChange, query.data as readonly Task[]),
    [query.data, pending],
  );
  return { ...query, tasks };
}

/** How many changes have not reached the server yet. */
export const usePendingCount = () =>
  useMutationState({ filters: { mutationKey: MUTATION_KEY, status: "pending" } }).length;

export const getTask = (id: string) =>
  queryClient.getQueryData<Task[]>(TASKS)?.find((task) => task.id === id);

export function applyChange(tasks: readonly Task[], change: Change): readonly Task[] {
  switch (change.kind) {
    case "create":
      return hasArrived(tasks, change) ? tasks : [placeholder(change), ...tasks];
    case "update":
      return tasks.map((task) => (task.id === change.id ? { ...task, ...change.patch } : task));
    case "remove":
      return tasks.filter((task) => task.id !== change.task.id);
    case "restore":
      return [...tasks.filter((task) => task.id !== change.task.id), change.task];
  }
}

type Creation = Extract<Change, { kind: "create" }>;

/** The event that tells every tab of a new task can be faster than the answer to the tab that made it. */
const hasArrived = (tasks: readonly Task[], { title, projectId, at }: Creation) =>
  tasks.some(
    (task) =>
      task.title === title && task.projectId === projectId && Date.parse(task.createdAt) >= at - 1_000,
  );

/** A task that has no id yet. */
export const isPlaceholder = (task: Task) => task.id.startsWith("new:");

function placeholder({ projectId, title, status, at }: Creation): Task {
  const now = new Date(at).toISOString();
  return {
    id: `new:${at}:${title}`,
    projectId,
    title,
    description: null,
    pinned: false,
    status,
    position: "", // sorts before every other
    agent: DEFAULT_AGENT,
    sessionStatus: null,
    sessionId: null,
    agentSessionId: null,
    worktreePath: null,
    branch: null,
    sessionStartedAt: null,
    sessionError: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
}
