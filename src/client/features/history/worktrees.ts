// A task's sessions by the worktree they worked in. Pure.

import type { SessionLog } from "../../shared/api/rows.ts";

export interface WorktreeHistory {
  /** Its newest session. Restoring refers to that one. */
  logId: string;
  branch: string | null;
  place:
    | { kind: "here" }
    /** `isOnlyCopy`: no snapshot has all of it, so nothing but a person deletes it. */
    | { kind: "trash"; archivedAt: string; isOnlyCopy: boolean }
    /** No longer in the trash, but still in a snapshot. */
    | { kind: "snapshot" }
    /** Restored beside the task's own worktree. */
    | { kind: "beside" }
    | { kind: "deleted" }
    /** The session ended before it had one. */
    | { kind: "none" };
  sessions: SessionLog[];
}

/** Newest first, as the logs come. */
export function byWorktree(logs: readonly SessionLog[]): WorktreeHistory[] {
  const found = new Map<string, WorktreeHistory>();
  for (const log of logs) {
    const key =
      log.archivedAt === null ? `here ${log.branch ?? log.id}` : `away ${log.archivedAt} ${log.branch}`;
    const known = found.get(key);
    if (known) known.sessions.push(log);
    else found.set(key, { logId: log.id, branch: log.branch, place: placeOf(log), sessions: [log] });
  }
  return [...found.values()];
}

function placeOf(log: SessionLog): WorktreeHistory["place"] {
  if (log.branch === null) return { kind: "none" };
  if (log.archivedAt === null) return { kind: "here" };
  if (log.trash !== null) {
    const isOnlyCopy = log.archivedFor === "aside" || (log.snapshotRef?.endsWith("-partial") ?? true);
    return { kind: "trash", archivedAt: log.archivedAt, isOnlyCopy };
  }
  if (log.purgedAt === null) return { kind: "beside" };
  return { kind: log.snapshotRef === null ? "deleted" : "snapshot" };
}
