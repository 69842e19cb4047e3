import { useMutation, useQuery } from "@tanstack/react-query";
import { api, outdate, PROJECTS, TASKS, unwrap, upsert } from "../shared/api/client.ts";
import { showError, showToast } from "../shared/ui/toast.tsx";

export const LOGS = ["session-logs"];
export const TRASH = ["trash"];

const fetchLogs = (taskId: string) => unwrap(api.tasks({ id: taskId })["session-logs"].get());

export type SessionLog = Awaited<ReturnType<typeof fetchLogs>>[number];

/** The sessions a task has had, newest first. */
export const useSessionLogs = (taskId: string) =>
  useQuery({ queryKey: [...LOGS, taskId], queryFn: () => fetchLogs(taskId) });

const fetchTrash = () => unwrap(api.trash.get());

export type TrashEntry = Awaited<ReturnType<typeof fetchTrash>>[number];

/** Archived worktrees, newest first. */
export const useTrash = () => useQuery({ queryKey: TRASH, queryFn: fetchTrash });

/** What holds an archived worktree, and what must come back before it can. */
interface Restorable {
  taskId: string;
  logId: string;
  title: string;
  isTaskGone?: boolean;
  /** Set when the project is off the board. */
  goneProjectId?: string;
}

/** Brings an archived worktree back, with its task and project where they are gone too. */
async function restore({ taskId, logId, isTaskGone, goneProjectId }: Restorable) {
  if (goneProjectId !== undefined) {
    upsert(PROJECTS, await unwrap(api.projects({ id: goneProjectId }).restore.post()));
    void outdate(TASKS); // its other tasks come back with it
  }
  if (isTaskGone) upsert(TASKS, await unwrap(api.tasks({ id: taskId }).restore.post()));
  return unwrap(api.tasks({ id: taskId })["session-logs"]({ logId }).restore.post());
}

export const useRestore = () => {
  const mutation = useMutation({
    mutationFn: restore,
    onSuccess: (_place, { taskId }) => {
      void outdate([...LOGS, taskId]);
      void outdate(TRASH);
    },
    onError: (error, restorable) =>
      showError("The worktree was not brought back", error, () => mutation.mutate(restorable)),
  });
  return mutation;
};

export function usePurge() {
  const mutation = useMutation({
    mutationFn: ({ id }: TrashEntry) => unwrap(api.trash({ id: id ?? "" }).delete()),
    onSuccess: (_nothing, { taskId, title }) => {
      void outdate(TRASH);
      void outdate([...LOGS, taskId]);
      showToast({ title: "Deleted for good", detail: `A worktree of ${title}.` });
    },
    onError: (error, entry) => showError("The worktree was not deleted", error, () => mutation.mutate(entry)),
  });
  return mutation;
}
