import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "../../db/open.ts";
import { sessionLogs } from "../../db/schema.ts";
import { DomainError } from "../errors.ts";
import { snapshotWorktree } from "../git/snapshot.ts";
import { moveToTrash } from "../git/trash.ts";
import { newId } from "../ids.ts";
import { topOf } from "../position.ts";
import type { TaskRow } from "../tasks.ts";
import type { Endings } from "./endings.ts";
import type { RunOperation, SessionParts } from "./parts.ts";
import type { Change, OperationRow } from "./rows.ts";
import type { StartDetail } from "./start.ts";
import type { ArchiveReason } from "./state.ts";

/** Decided when the archive is accepted, so that a second try after a crash does the very same. */
export interface ArchiveDetail {
  then: ArchiveReason;
  /** Of the folder in the trash. */
  trash: string;
  snapshotRef: string;
  /** The session that follows a retry. */
  next?: { sessionId: string; agentSessionId: string | null };
}

/** Stops what runs in the worktree, keeps it as a commit and as a folder, and clears the task's session. */
export const runArchive =
  (endings: Endings): RunOperation =>
  async (parts, operation) => {
    const task = parts.rows.find(operation.taskId);
    if (task === undefined) return;
    try {
      if (operation.step === "accepted") {
        await parts.stopShells(task.id);
        if (task.sessionId !== null) {
          await endings.stop({ taskId: task.id, sessionId: task.sessionId });
        }
        parts.checkpoint("archive:stopped");
        parts.rows.advance(operation, "snapshot");
      }
      await putAway(parts, operation, task);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The worktree could not be put away and stays where it is: ${reason}`;
      parts.log.error(`archiving task ${task.id}`, error);
      parts.rows.accept(task.id, { type: "kept" }, () => ({ columns: { sessionError: message } }));
      throw new DomainError("conflict", message);
    }
  };

async function putAway(parts: SessionParts, operation: OperationRow, task: TaskRow): Promise<void> {
  const { then, trash, snapshotRef, next } = operation.detail as unknown as ArchiveDetail;
  const repository = parts.rows.project(task.projectId).path;
  const path = task.worktreePath;
  const trashPath = parts.paths.trash(trash);
  const inner = (step: string) => parts.checkpoint(`archive:${step}`);
  if (path !== null && operation.step !== "trash") {
    const { notes } = await snapshotWorktree({ repository, path, ref: snapshotRef });
    for (const note of notes) parts.log.info(`task ${task.id}: ${note}`);
    parts.checkpoint("archive:snapshot");
    parts.rows.advance(operation, "trash");
  }
  if (path !== null) {
    await moveToTrash({ repository, path, trashPath, checkpoint: inner });
    await parts.files.putAway(task.id, trashPath);
    parts.checkpoint("archive:trashed");
  }
  parts.rows.accept(task.id, { type: "archived", then }, (row, tx): Change => {
    if (path !== null) recordArchive(tx, row, { then, trash, snapshotRef });
    const empty = { worktreePath: null, branch: null, sessionError: null };
    if (then !== "retry") {
      const done = then === "complete" && row.status !== "done" ? { position: topOf(tx, "done") } : {};
      return {
        columns: { ...empty, ...done, sessionId: null, agentSessionId: null, sessionStartedAt: null },
      };
    }
    return {
      columns: { ...empty, ...next, sessionStartedAt: new Date().toISOString() },
      detail: { resume: false, setup: true } satisfies StartDetail,
    };
  });
  if (task.sessionId !== null) parts.runDir.forget(task.sessionId);
  parts.checkpoint("archive:done");
}

/** Every session that worked in this worktree says where it went. */
function recordArchive(tx: Tx, task: TaskRow, { then, trash, snapshotRef }: Omit<ArchiveDetail, "next">) {
  const now = new Date().toISOString();
  const where = { archivedAt: now, archivedFor: then, snapshotRef, trash };
  const own = and(
    eq(sessionLogs.taskId, task.id),
    isNull(sessionLogs.archivedAt),
    eq(sessionLogs.branch, task.branch ?? ""),
  );
  const marked = tx.update(sessionLogs).set(where).where(own).returning({ id: sessionLogs.id }).all();
  if (marked.length > 0) return;
  // A worktree that came back from the trash and was not worked in since.
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

/** refs/banto/<task>/<n>: numbers are never used twice. */
export function nextSnapshotRef(tx: Tx, taskId: string): string {
  const taken = tx
    .select({ ref: sessionLogs.snapshotRef })
    .from(sessionLogs)
    .where(eq(sessionLogs.taskId, taskId))
    .all()
    .map(({ ref }) => Number(ref?.split("/").at(-1) ?? 0));
  return `refs/banto/${taskId}/${Math.max(0, ...taken) + 1}`;
}
