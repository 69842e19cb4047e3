// A task's sessions by the worktree they worked in. Pure.

import type { SessionLog, TrashEntry } from "../../shared/api/rows.ts";

export interface WorktreeHistory {
  /** Its newest session. Restoring refers to that one. */
  logId: string;
  branch: string | null;
  place:
    | { kind: "here" }
    /** `entry` is undefined until the trash has been listed. */
    | { kind: "trash"; entry: Pick<TrashEntry, "purgesAt" | "kept"> | undefined }
    /** No longer in the trash, but still in a snapshot. */
    | { kind: "snapshot"; purgedAt: string }
    /** Restored beside the task's own worktree. */
    | { kind: "beside" }
    | { kind: "deleted"; purgedAt: string }
    /** The session ended before it had one. */
    | { kind: "none" };
  sessions: SessionLog[];
}

/** Newest first, as the logs come. */
export function byWorktree(
  logs: readonly SessionLog[],
  trash: readonly Pick<TrashEntry, "id" | "purgesAt" | "kept">[],
): WorktreeHistory[] {
  const found = new Map<string, WorktreeHistory>();
  for (const log of logs) {
    const key =
      log.archivedAt === null ? `here ${log.branch ?? log.id}` : `away ${log.archivedAt} ${log.branch}`;
    const known = found.get(key);
    if (known) known.sessions.push(log);
    else found.set(key, { logId: log.id, branch: log.branch, place: placeOf(log, trash), sessions: [log] });
  }
  return [...found.values()];
}

function placeOf(log: SessionLog, trash: Parameters<typeof byWorktree>[1]): WorktreeHistory["place"] {
  const { branch, archivedAt, purgedAt } = log;
  if (branch === null) return { kind: "none" };
  if (archivedAt === null) return { kind: "here" };
  if (log.trash !== null) return { kind: "trash", entry: trash.find(({ id }) => id === log.trash) };
  if (purgedAt === null) return { kind: "beside" };
  return { kind: log.snapshotRef === null ? "deleted" : "snapshot", purgedAt };
}
