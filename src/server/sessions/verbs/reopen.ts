import type { Tx } from "../../../db/open.ts";
import { freePosition, topOf } from "../../tasks/position.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import { planRestore } from "../operations/restore.ts";
import type { Change, SessionLog } from "../store.ts";
import type { VerbParts } from "./parts.ts";
import { isPurged, lastPutAway } from "./restore.ts";

/** Undoes `complete`: the card goes back to where it was, with its worktree if that is in the trash. */
export async function reopenTask(parts: VerbParts, taskId: string): Promise<TaskRow> {
  const { rows, tasks, operations, checkpoint } = parts;
  await operations.whenFree(taskId, () => {
    parts.unknown.requireNone(taskId);
    const { to, restores, decide } = plan(parts, tasks.get(taskId));
    return rows.accept(taskId, { type: "reopen", to, restores }, decide);
  });
  checkpoint("reopen:accepted");
  await operations.run(taskId);
  return tasks.get(taskId);
}

/**
 * Where a completed card goes back to, and which worktree is restored. A card that somebody has moved out of Done in
 * the meantime stays where it is and gets its worktree.
 */
function plan(parts: VerbParts, task: TaskRow) {
  const from = task.status === "done" ? task.completedFrom : null;
  const to = task.status === "done" ? (from?.status ?? "active") : task.status;
  const log =
    task.worktreePath === null && (from?.hadWorktree ?? true) ? lastCompleted(parts, task) : undefined;
  const decide = (row: TaskRow, tx: Tx): Change => ({
    columns: {
      completedFrom: null,
      ...(to !== row.status && {
        position: from === null ? topOf(tx, to) : freePosition(tx, to, from.position, row.id),
      }),
    },
    ...(log !== undefined && { detail: { ...planRestore(parts, row, log) } }),
  });
  return { to, restores: log !== undefined, decide };
}

/** A worktree that was deleted for good doesn't keep the card from being reopened. */
function lastCompleted({ rows }: VerbParts, { id }: TaskRow): SessionLog | undefined {
  const last = lastPutAway(rows.logs(id));
  return last?.archivedFor === "complete" && !isPurged(last) ? last : undefined;
}
