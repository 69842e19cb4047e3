import { existsSync } from "node:fs";
import { eq } from "drizzle-orm";
import { isLive } from "../../../contract.ts";
import { sessionLogs } from "../../../db/schema.ts";
import { restoreWorktree } from "../../git/restore/restore.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import type { RunOperation, SessionParts } from "../parts.ts";
import type { SessionLog } from "../store.ts";
import { requireWorktreeThere } from "../worktree-there.ts";
import { SET_ASIDE } from "./set-aside.ts";

export interface Restored {
  branch: string;
  path: string;
}

export interface RestoreDetail {
  logId: string;
  /** Relative to the data directory, which may be moved meanwhile. */
  place: string;
  /** As the task's own worktree; otherwise beside it, for people only. */
  inPlace: boolean;
}

/** Where to restore an archived worktree: in its own place if that is free. */
export function planRestore(parts: SessionParts, task: TaskRow, log: SessionLog): RestoreDetail {
  const isFree = task.worktreePath === null && !isLive(task.sessionStatus) && task.deletedAt === null;
  // What was in the way of the task's worktree may not be a worktree.
  const inPlace = isFree && log.archivedFor !== SET_ASIDE;
  return {
    logId: log.id,
    inPlace,
    place: parts.paths.placeOf(inPlace ? parts.paths.worktree(task.id) : besideOf(parts, task, log)),
  };
}

/** Numbered like the snapshot, so that it can be found again. */
const besideOf = (parts: SessionParts, task: TaskRow, log: SessionLog) =>
  `${parts.paths.worktree(task.id)}-${log.snapshotRef?.split("/").at(-1) ?? log.id}`;

/** The worktree, if it doesn't have to be restored because it is there already. */
export function stillThere(parts: SessionParts, task: TaskRow, log: SessionLog): Restored | undefined {
  const { branch } = log;
  if (branch === null) return undefined;
  if (log.archivedAt === null) {
    if (task.worktreePath === null || task.branch !== branch) return undefined;
    requireWorktreeThere(task);
    return { branch, path: task.worktreePath };
  }
  const beside = besideOf(parts, task, log);
  return log.trash === null && existsSync(beside) ? { branch, path: beside } : undefined;
}

export const runRestore: RunOperation = async (parts, operation) => {
  const { logId, place, inPlace } = operation.detail as unknown as RestoreDetail;
  const path = parts.paths.at(place);
  const task = parts.rows.find(operation.taskId);
  if (task === undefined) return;
  const log = parts.rows.log(task.id, logId);
  const trashPath = parts.paths.trash(log.trash ?? log.id);
  try {
    await parts.files.bringBack(task.id, trashPath);
    const { branch, notes } = await restoreWorktree({
      repository: parts.rows.project(task.projectId).path,
      trashPath,
      snapshotRef: log.snapshotRef,
      path,
      branch: log.branch ?? `banto/${task.id}`,
      checkpoint: (step) => parts.checkpoint(`restore:${step}`),
    });
    for (const note of notes) parts.log.info(`task ${task.id}: ${note}`);
    parts.checkpoint("restore:worktree");
    parts.rows.accept(task.id, { type: "restored", inPlace }, (_row, tx) => {
      const folder = log.trash === null ? eq(sessionLogs.id, log.id) : eq(sessionLogs.trash, log.trash);
      // In its own place it is the task's worktree again, and the next archive will record where it goes.
      const unarchived = inPlace
        ? { archivedAt: null, archiveNumber: null, archivedFor: null, purgedAt: null }
        : {};
      tx.update(sessionLogs)
        .set({ trash: null, branch, ...unarchived })
        .where(folder)
        .run();
      if (!inPlace) return {};
      return { columns: { worktreePath: path, branch, agentSessionId: log.agentSessionId } };
    });
    parts.checkpoint("restore:done");
  } catch (error) {
    parts.rows.accept(task.id, { type: "kept" }, () => ({}));
    throw error;
  }
};
