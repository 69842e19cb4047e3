import { DomainError } from "../../errors.ts";
import { planRestore, type Restored, stillThere } from "../operations/restore.ts";
import { SET_ASIDE } from "../operations/set-aside.ts";
import type { SessionLog } from "../store.ts";
import type { VerbParts } from "./parts.ts";

/** Restores the worktree of an earlier session. */
export async function restoreWorktreeOf(parts: VerbParts, taskId: string, logId: string): Promise<Restored> {
  const { rows, operations, checkpoint } = parts;
  const find = () => stillThere(parts, rows.require(taskId), rows.log(taskId, logId));
  const there = await operations.whenFree(taskId, () => {
    const found = find();
    if (found !== undefined) return found;
    const log = rows.log(taskId, logId);
    requireRestorable(log);
    parts.unknown.requireNone(taskId);
    rows.accept(taskId, { type: "restore" }, (task) => ({ detail: { ...planRestore(parts, task, log) } }));
    return undefined;
  });
  if (there !== undefined) return there;
  checkpoint("restore:accepted");
  await operations.run(taskId);
  const restored = find();
  if (restored === undefined) throw new Error(`task ${taskId}: session ${logId} was restored to nowhere`);
  return restored;
}

export const isPurged = (log: SessionLog): log is SessionLog & { purgedAt: string } =>
  log.purgedAt !== null && log.snapshotRef === null;

function requireRestorable(log: SessionLog) {
  if (log.archivedAt === null) {
    throw new DomainError(
      "conflict",
      "This session ended before it had a worktree, so there is nothing to restore.",
    );
  }
  if (isPurged(log)) {
    throw new DomainError(
      "conflict",
      `This worktree was permanently deleted on ${log.purgedAt.slice(0, 10)}.`,
    );
  }
}

/**
 * Restores the worktree that was archived when its task was deleted. If that fails, the task's history still has it.
 */
export async function bringBack(parts: VerbParts, taskId: string): Promise<void> {
  const { rows, operations, log } = parts;
  await operations.idle(taskId);
  const task = rows.find(taskId);
  const last = lastPutAway(rows.logs(taskId));
  if (!task || last?.archivedFor !== "delete" || task.worktreePath !== null) return;
  try {
    await restoreWorktreeOf(parts, taskId, last.id);
  } catch (error) {
    log.error(`bringing back the worktree of ${taskId}`, error);
  }
}

/** The session whose worktree was archived last. Not always the one that ended last, as older ones can be restored. */
export const lastPutAway = (logs: SessionLog[]): SessionLog | undefined =>
  logs
    .filter(({ archivedAt, archivedFor }) => archivedAt !== null && archivedFor !== SET_ASIDE)
    .toSorted((a, b) => (b.archiveNumber ?? 0) - (a.archiveNumber ?? 0))[0];
