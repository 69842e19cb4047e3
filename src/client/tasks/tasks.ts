import { useMutationState, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { TaskStatus } from "../../contract.ts";
import { refuseWhileRunning, showOutcome, showRefusal, WORKTREE_KEPT } from "../app/outcome-toasts.ts";
import {
  ApiError,
  api,
  fetchList,
  queryClient,
  TASK_CHANGE,
  TASKS,
  unwrap,
  upsert,
} from "../shared/api/client.ts";
import { showError, showToast } from "../shared/ui/toast.tsx";
import type { SessionAction } from "./actions.ts";
import { type AnswerChange, withAnswer } from "./answers.ts";
import { type Creation, placeholder } from "./placeholder.ts";
import { type SessionChange, sendSessionChange, withSessionChange } from "./session-change.ts";

export type Task = NonNullable<Awaited<ReturnType<typeof api.tasks.get>>["data"]>[number];

type TaskPatch = Partial<
  Pick<Task, "title" | "description" | "pinned" | "agent" | "agentOptions" | "status" | "position">
>;

/** Called each time it has been tried. */
export type Settled = (isSaved: boolean) => void;

/** Everything a person can do to a task. While one is on its way, the board shows it as done. */
type Change =
  | ({ kind: "create" } & Creation)
  | { kind: "update"; id: string; patch: TaskPatch; settled?: Settled | undefined }
  | { kind: "remove"; task: Task; withdrawUndo(): void }
  | { kind: "restore"; task: Task }
  | ({ kind: "session" } & SessionChange);

/** Sent once already: it may have arrived, and only the answer got lost. */
const sent = new WeakSet<Change>();

function send(change: Change): Promise<Task> {
  const isSecondTry = sent.has(change);
  sent.add(change);
  switch (change.kind) {
    case "create":
      return create(change);
    case "update":
      return unwrap(api.tasks({ id: change.id }).patch(change.patch, { fetch: outlivingPage(change.patch) }));
    case "remove":
      return isSecondTry ? removeAgain(change.task) : remove(change.task);
    case "restore":
      return unwrap(api.tasks({ id: change.task.id }).restore.post());
    case "session":
      return sendSessionChange(change, isSecondTry);
  }
}

const remove = ({ id }: Task) => unwrap(api.tasks({ id }).delete());

async function removeAgain(task: Task): Promise<Task> {
  try {
    return await remove(task);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    return { ...task, deletedAt: new Date().toISOString() };
  }
}

/** For each creation that was sent, by its key, the tasks of that name that were there before. */
const twinsBefore = new Map<string, Set<string>>();
let creations = 0;

/** When the answer got lost, the task may be there all the same, and must not be made twice. */
async function create(change: Creation): Promise<Task> {
  const { projectId, title, status } = change;
  if (twinsBefore.has(change.key)) {
    const arrived = (await unwrap(api.tasks.get({ query: { projectId } }))).find(isMadeBy(change));
    if (arrived) return arrived;
  } else {
    const known = queryClient.getQueryData<Task[]>(TASKS) ?? [];
    twinsBefore.set(change.key, new Set(known.filter((task) => task.title === title).map(({ id }) => id)));
  }
  return unwrap(api.tasks.post({ projectId, title, status }));
}

const isMadeBy = (change: Creation) => (task: Task) =>
  task.title === change.title &&
  task.projectId === change.projectId &&
  twinsBefore.get(change.key)?.has(task.id) === false;

/** What is saved while the page goes away must still arrive. Browsers send 64 KiB in that way, and refuse more. */
const outlivingPage = ({ description }: TaskPatch): RequestInit => ({
  keepalive: (description ?? "").length < 20_000,
});

const FAILURE: Record<Exclude<Change["kind"], "session">, string> = {
  create: "The task was not created",
  update: "The change was not saved",
  remove: "The task was not deleted",
  restore: "The task was not brought back",
};

/** What has an id has a queue of its own; new tasks share one, so that they come in the order they were written. */
const queueOf = (change: Change) =>
  change.kind === "create" ? "new" : change.kind === "update" ? change.id : change.task.id;

/**
 * Those of one task one at a time and in order, so that a later change never overtakes an earlier one. Another task's
 * don't wait for them: ending an agent and putting its worktree away can take minutes.
 */
function change(change: Change) {
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationKey: TASK_CHANGE,
    scope: { id: `task:${queueOf(change)}` },
    mutationFn: send,
    onSuccess: (task: Task) => accepted(change, task),
    onError: (error: Error) => refused(change, error),
  });
  mutation.execute(change).catch(() => {}); // told by onError
}

const act = (asked: SessionChange) => change({ kind: "session", ...asked });

function accepted(asked: Change, task: Task) {
  upsert(TASKS, task);
  if (asked.kind === "session") showOutcome(asked, act);
  if (asked.kind === "update") asked.settled?.(true);
}

function refused(asked: Change, error: Error) {
  // As it was sent, so that it is known to have been.
  const again = () => change(asked);
  if (asked.kind === "session")
    return showRefusal(asked, error, (next) => (next === asked ? again() : act(next)));
  if (asked.kind === "remove") asked.withdrawUndo();
  if (asked.kind === "update") asked.settled?.(false);
  showError(FAILURE[asked.kind], error, again);
}

export const taskActions = {
  create: (projectId: string, title: string, status: TaskStatus) =>
    change({ kind: "create", key: `new:${++creations}`, projectId, title, status, at: Date.now() }),

  /** A card stays where it is while its agent runs. */
  update(id: string, patch: TaskPatch, settled?: Settled) {
    const task = getTask(id);
    const isMove = task !== undefined && patch.status !== undefined && patch.status !== task.status;
    if (isMove && refuseWhileRunning(task, act, patch.status === "done")) return;
    change({ kind: "update", id, patch, settled });
  },

  act: (task: Task, action: SessionAction) => act({ task, action }),

  /** False when it has to stay. */
  remove(task: Task): boolean {
    if (refuseWhileRunning(task, act)) return false;
    const withdrawUndo = showToast({
      title: "Task deleted",
      detail: task.worktreePath === null ? task.title : `${task.title}. ${WORKTREE_KEPT}`,
      action: { label: "Undo", run: () => change({ kind: "restore", task }) },
    });
    change({ kind: "remove", task, withdrawUndo });
    return true;
  },
};

const PENDING = { mutationKey: TASK_CHANGE, status: "pending" } as const;

/** The server's tasks with what is on its way laid over them. A refusal takes its layer away again by itself. */
export function useTasks() {
  const query = useQuery({ queryKey: TASKS, queryFn: () => fetchList<Task>(TASKS) });
  const pending = useMutationState({
    filters: PENDING,
    select: (mutation) => mutation.state.variables as Change | AnswerChange,
  });
  const tasks = useMemo(
    () => query.data && pending.reduce(applyChange, query.data as readonly Task[]),
    [query.data, pending],
  );
  return { ...query, tasks };
}

/** How many changes have not reached the server yet. */
export const usePendingCount = () => useMutationState({ filters: PENDING }).length;

export const getTask = (id: string) =>
  queryClient.getQueryData<Task[]>(TASKS)?.find((task) => task.id === id);

/** The same with what is on its way. */
export function getTaskAsShown(id: string): Task | undefined {
  const changes = queryClient
    .getMutationCache()
    .findAll(PENDING)
    .map(({ state }) => state.variables as Change | AnswerChange);
  const tasks: readonly Task[] = queryClient.getQueryData<Task[]>(TASKS) ?? [];
  return changes.reduce(applyChange, tasks).find((task) => task.id === id);
}

function applyChange(tasks: readonly Task[], change: Change | AnswerChange): readonly Task[] {
  switch (change.kind) {
    case "create":
      // The event that tells every tab of a new task can be faster than the answer to the tab that made it.
      return tasks.some(isMadeBy(change)) ? tasks : [placeholder(change), ...tasks];
    case "update":
      return tasks.map((task) => (task.id === change.id ? { ...task, ...change.patch } : task));
    case "remove":
      return tasks.filter((task) => task.id !== change.task.id);
    case "restore":
      return [...tasks.filter((task) => task.id !== change.task.id), change.task];
    case "session":
      return tasks.map((task) => (task.id === change.task.id ? withSessionChange(task, change) : task));
    case "answer":
      return tasks.map((task) => withAnswer(task, change));
  }
}
