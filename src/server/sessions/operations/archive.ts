import { existsSync } from "node:fs";
import { and, eq, isNull, max } from "drizzle-orm";
import type { CompletedFrom } from "../../../contract.ts";
import type { Tx } from "../../../db/open.ts";
import { sessionLogs } from "../../../db/schema.ts";
import { DomainError } from "../../errors.ts";
import { snapshotsOf, snapshotWorktree } from "../../git/snapshots/snapshot.ts";
import { moveToTrash, trashedFiles } from "../../git/trash/trash.ts";
import { commitWork } from "../../git/work/commit.ts";
import { endAllOfTask } from "../../hosts/end-host.ts";
import { newId } from "../../ids.ts";
import { topOf } from "../../tasks/position.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import { isForSpace, whatTrashFrees } from "../disk-room.ts";
import type { RunOperation, SessionParts } from "../parts.ts";
import type { ArchiveReason } from "../state.ts";
import type { Change, OperationRow } from "../store.ts";
import { requireWorktreeThere } from "../worktree-there.ts";
import type { StartDetail } from "./start.ts";

/** Decided when the archive is accepted, so that another attempt after a crash does exactly the same. */
export interface ArchiveDetail {
  then: ArchiveReason;
  /** The folder's name in the trash. */
  trash: string;
  /** Decided before it is written, so that another attempt finds its own. null: no snapshot. */
  snapshotRef?: string | null;
  /** Commit first, with this message. */
  commit?: string | undefined;
  /** For a retry, the next session. */
  next?: { sessionId: string; agentSessionId: string | null };
}

export const archiveDetail = (then: ArchiveReason, commit?: string): ArchiveDetail => ({
  then,
  trash: newId(),
  ...(commit !== undefined && { commit }),
});

/**
 * Stops what runs in the worktree, takes a snapshot, moves the worktree to the trash, and clears the task's session.
 */
export const runArchive: RunOperation = async (parts, operation) => {
  const task = parts.rows.find(operation.taskId);
  if (task === undefined) return;
  const detail = { ...operation.detail } as unknown as ArchiveDetail;
  const isNew = operation.step === "accepted";
  // If this fails it is tried again, like any stop: an agent that may still be running must not be called failed.
  if (isNew && task.sessionId !== null) {
    await parts.endings.stop({ taskId: task.id, sessionId: task.sessionId });
  }
  try {
    if (isNew) {
      await parts.stopShells(task.id);
      await endAllOfTask(parts.runDir, task.id);
      parts.checkpoint("archive:stopped");
      await commitFirst(parts, task, detail);
      detail.snapshotRef = await freeSnapshotRef(parts, task);
      parts.rows.advance(operation, "snapshot", { detail: { ...detail } });
    }
    await putAway(parts, operation, task, detail);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isFull = isForSpace(error);
    const advice = isFull ? ` ${await whatTrashFrees(parts.paths)}` : "";
    const message = `The worktree couldn't be archived and stays where it is: ${reason}${advice}`;
    parts.log.error(`archiving task ${task.id}`, error);
    parts.rows.accept(task.id, { type: "kept" }, () => ({ columns: { sessionError: message } }));
    throw new DomainError(isFull ? "no_space" : "conflict", message);
  }
  // From here on a failure does not bring the worktree back. It is tried again until it has been recorded.
  writeArchived(parts, task, detail);
};

async function commitFirst(parts: SessionParts, task: TaskRow, { commit: message }: ArchiveDetail) {
  const { projectId, worktreePath: path } = task;
  if (message === undefined || path === null) return;
  await commitWork({ repository: parts.rows.project(projectId).path, path, message });
  parts.checkpoint("archive:committed");
}

async function putAway(
  parts: SessionParts,
  operation: OperationRow,
  task: TaskRow,
  detail: ArchiveDetail,
): Promise<void> {
  const { id, projectId, worktreePath: path } = task;
  if (path === null) return;
  const repository = parts.rows.project(projectId).path;
  const trashPath = parts.paths.trash(detail.trash);
  const inner = (step: string) => parts.checkpoint(`archive:${step}`);
  if (!existsSync(trashedFiles(trashPath))) requireWorktreeThere(task);
  if (operation.step !== "trash") {
    if (detail.snapshotRef) {
      const { ref, notes } = await snapshotWorktree({ repository, path, ref: detail.snapshotRef });
      for (const note of notes) parts.log.info(`task ${id}: ${note}`);
      detail.snapshotRef = ref;
    }
    parts.checkpoint("archive:snapshot");
    parts.rows.advance(operation, "trash", { detail: { ...detail } });
  }
  await moveToTrash({ repository, path, trashPath, checkpoint: inner });
  try {
    await parts.files.putAway(id, trashPath);
  } catch (error) {
    parts.log.error(`task ${id}: the files it was given stay where they are`, error);
  }
  parts.checkpoint("archive:trashed");
}

function writeArchived(parts: SessionParts, task: TaskRow, detail: ArchiveDetail) {
  const { then, next } = detail;
  parts.rows.accept(task.id, { type: "archived", then }, (row, tx): Change => {
    if (task.worktreePath !== null) recordArchive(tx, row, detail);
    const empty = { worktreePath: null, branch: null, sessionError: null };
    if (then !== "retry") {
      const from = then === "complete" ? { completedFrom: completedFrom(row) } : {};
      const done = then === "complete" && row.status !== "done" ? { position: topOf(tx, "done") } : {};
      return {
        columns: {
          ...empty,
          ...from,
          ...done,
          sessionId: null,
          agentSessionId: null,
          sessionStartedAt: null,
        },
      };
    }
    return {
      columns: { ...empty, ...next, sessionStartedAt: new Date().toISOString() },
      detail: { resume: false } satisfies StartDetail,
    };
  });
  if (task.sessionId !== null) parts.runDir.forget(task.sessionId);
  parts.checkpoint("archive:done");
}

/** What is needed to undo a completion. */
export const completedFrom = ({ status, position, worktreePath }: TaskRow): CompletedFrom => ({
  status,
  position,
  hadWorktree: worktreePath !== null,
});

/** Records in every session that used this worktree where it went. */
function recordArchive(tx: Tx, task: TaskRow, { then, trash, snapshotRef = null }: ArchiveDetail) {
  const now = new Date().toISOString();
  const last =
    tx
      .select({ number: max(sessionLogs.archiveNumber) })
      .from(sessionLogs)
      .get()?.number ?? 0;
  const where = { archivedAt: now, archiveNumber: last + 1, archivedFor: then, snapshotRef, trash };
  const own = and(
    eq(sessionLogs.taskId, task.id),
    isNull(sessionLogs.archivedAt),
    eq(sessionLogs.branch, task.branch ?? ""),
  );
  const marked = tx.update(sessionLogs).set(where).where(own).returning({ id: sessionLogs.id }).all();
  if (marked.length > 0) return;
  // The worktree was restored from the trash, and no session has used it since.
  tx.insert(sessionLogs)
    .values({
      id: newId(),
      taskId: task.id,
      startedAt: now,
      endedAt: now,
      exitStatus: "done",
      branch: task.branch,
      agentSessionId: task.agentSessionId,
      ...where,
    })
    .run();
}

/** refs/banto/<task>/<n> with a number that is unused in the repository and in the task's history. */
async function freeSnapshotRef({ rows, log }: SessionParts, task: TaskRow): Promise<string | null> {
  try {
    const inRepository = await snapshotsOf(rows.project(task.projectId).path, task.id);
    const inHistory = rows.logs(task.id).map(({ snapshotRef }) => snapshotRef ?? "0");
    const taken = [...inRepository, ...inHistory].map((ref) => Number(/\/(\d+)[^/]*$/.exec(ref)?.[1]));
    return `refs/banto/${task.id}/${Math.max(0, ...taken.filter(Number.isInteger)) + 1}`;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    log.info(`task ${task.id}: There is no snapshot: ${error.message}`); // the trash has everything
    return null;
  }
}
