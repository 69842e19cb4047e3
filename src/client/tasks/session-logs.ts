import { useMutation, useQuery } from "@tanstack/react-query";
import { api, invalidate, mutate, unwrap } from "../shared/api/client.ts";
import { keyed } from "../shared/api/keyed.ts";
import { TASKS, upsert } from "../shared/api/lists.ts";
import { restoreProject } from "../shared/api/projects.ts";
import type { TrashEntry } from "../shared/api/rows.ts";

export const LOGS = ["session-logs"];
export const TRASH = ["trash"];

const fetchLogs = (taskId: string) => unwrap(api.tasks({ id: taskId })["session-logs"].get());

/** The sessions a task has had, newest first. */
export const useSessionLogs = (taskId: string) =>
  useQuery({ queryKey: [...LOGS, taskId], queryFn: () => fetchLogs(taskId) });

const fetchTrash = () => unwrap(api.trash.get());

/** Archived worktrees, newest first. */
export const useTrash = () => useQuery({ queryKey: TRASH, queryFn: fetchTrash });

/** Whether anything expires; null if the clock of the server's machine is right. */
export const useClock = () =>
  useQuery({ queryKey: [...TRASH, "clock"], queryFn: () => unwrap(api.trash.clock.get()) });

export async function confirmClock(change: object): Promise<void> {
  await mutate(() => unwrap(api.trash.clock.post(undefined, keyed(change))));
  void invalidate(TRASH);
}

const fetchDeleted = () => unwrap(api.tasks.deleted.get());

/** Deleted cards, newest first. */
export const useDeletedTasks = () => useQuery({ queryKey: [...TRASH, "tasks"], queryFn: fetchDeleted });

/** An archived worktree, and what has to be restored before it. */
export interface Restorable {
  taskId: string;
  logId: string;
  isTaskGone?: boolean;
  /** Set if the project was removed from the board. */
  goneProjectId?: string;
}

/** Restores its task and project first, if they are gone too. */
async function restore(restorable: Restorable) {
  const { taskId, logId, isTaskGone, goneProjectId } = restorable;
  const task = api.tasks({ id: taskId });
  if (goneProjectId !== undefined) await restoreProject(goneProjectId, restorable);
  if (isTaskGone) upsert(TASKS, await unwrap(task.restore.post(undefined, keyed(restorable, "task"))));
  return unwrap(task["session-logs"]({ logId }).restore.post(undefined, keyed(restorable)));
}

/** Restores an archived worktree. The result says where it is now. */
export const useRestoreWorktree = () =>
  useMutation({ mutationFn: restore, onSuccess: (_place, { taskId }) => archiveChanged(taskId) });

export async function purgeWorktree({ id, taskId }: TrashEntry, change: object): Promise<void> {
  await mutate(() => unwrap(api.trash({ id: id ?? "" }).delete(undefined, keyed(change))));
  archiveChanged(taskId);
}

function archiveChanged(taskId: string) {
  void invalidate([...LOGS, taskId]);
  void invalidate(TRASH);
}
