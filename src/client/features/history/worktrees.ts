import type { SessionLog } from "../../shared/api/rows.ts";
// A task's sessions by the worktree they worked in. Pure.

export interface WorktreeHistory {
  /** The newest of its sessions, by which it is restored. */
  logId: string;
  branch: string | null;
  place:
    | { kind: "here" }
    | { kind: "trash"; archivedAt: string }
    /** Out of the trash; everything that git would keep is still there. */
    | { kind: "snapshot" }
    /** Brought back beside the task's own place. */
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
  if (log.trash !== null) return { kind: "trash", archivedAt: log.archivedAt };
  if (log.purgedAt === null) return { kind: "beside" };
  return { kind: log.snapshotRef === null ? "deleted" : "snapshot" };
}
