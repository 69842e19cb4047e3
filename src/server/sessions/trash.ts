// Archived worktrees: what is kept, for how long, and the one place where anything is deleted for good.

import { and, desc, eq, isNotNull, lt } from "drizzle-orm";
import { TRASH_DAYS } from "../../contract.ts";
import type { Store } from "../../db/open.ts";
import { operations, projects, sessionLogs, tasks } from "../../db/schema.ts";
import { notFound } from "../errors.ts";
import { isPartial, snapshotsOf } from "../git/snapshots/snapshot.ts";
import { purge } from "../git/trash/purge.ts";
import { commonIfThere } from "../git/trash/trash.ts";
import type { KeyedQueue } from "../keyed-queue.ts";
import type { Log } from "../log.ts";
import { recordSetAside, SET_ASIDE } from "./operations/set-aside.ts";
import type { SessionPaths } from "./paths.ts";
import type { SessionLog } from "./store.ts";

const DAY_MS = 86_400_000;

export type Trash = ReturnType<typeof createTrash>;

interface TrashParts {
  store: Store;
  paths: SessionPaths;
  queue: KeyedQueue;
  log: Log;
}

interface Folder {
  id: string;
  taskId: string;
  repository: string;
}

export function createTrash({ store, paths, queue, log }: TrashParts) {
  const kept = () =>
    store.db
      .select({
        id: sessionLogs.trash,
        logId: sessionLogs.id,
        taskId: sessionLogs.taskId,
        title: tasks.title,
        taskDeletedAt: tasks.deletedAt,
        projectId: tasks.projectId,
        projectName: projects.name,
        repository: projects.path,
        branch: sessionLogs.branch,
        archivedAt: sessionLogs.archivedAt,
        archivedFor: sessionLogs.archivedFor,
        snapshotRef: sessionLogs.snapshotRef,
      })
      .from(sessionLogs)
      .innerJoin(tasks, eq(tasks.id, sessionLogs.taskId))
      .innerJoin(projects, eq(projects.id, tasks.projectId))
      .orderBy(desc(sessionLogs.archivedAt), desc(sessionLogs.endedAt));

  /** The folder's own, and those of its task that no session names any more. */
  async function snapshotsWith({ id, taskId, repository }: Folder): Promise<string[]> {
    if ((await commonIfThere(repository)) === null) return [];
    const logs = store.db.select().from(sessionLogs).where(eq(sessionLogs.taskId, taskId)).all();
    const underWay = store.db.select().from(operations).where(eq(operations.taskId, taskId)).get();
    const others = logs.filter(({ trash }) => trash !== id).map(({ snapshotRef }) => snapshotRef);
    const needed = new Set<unknown>([...others, underWay?.detail.snapshotRef]);
    return (await snapshotsOf(repository, taskId)).filter((ref) => !needed.has(ref));
  }

  function empty(folder: Folder, { isForGood }: { isForGood: boolean }): Promise<void> {
    const { id, taskId, repository } = folder;
    return queue.run(taskId, async () => {
      const snapshotRefs = isForGood ? await snapshotsWith(folder) : [];
      await purge({ repository, trashPath: paths.trash(id), snapshotRefs });
      const purgedAt = new Date().toISOString();
      store.write((tx) =>
        tx
          .update(sessionLogs)
          .set({ trash: null, purgedAt, ...(isForGood && { snapshotRef: null }) })
          .where(eq(sessionLogs.trash, id))
          .run(),
      );
    });
  }

  return {
    /** One entry per folder, newest first, under the last session that worked in it. */
    async list() {
      await recordSetAside({ store, paths });
      const seen = new Set<string | null>();
      return kept()
        .where(isNotNull(sessionLogs.trash))
        .all()
        .filter(({ id }) => !seen.has(id) && seen.add(id))
        .map((entry) => ({
          ...entry,
          /** null: not before somebody does it by hand. */
          purgesAt: goesByItself(entry)
            ? new Date(Date.parse(entry.archivedAt ?? "") + TRASH_DAYS * DAY_MS).toISOString()
            : null,
        }));
    },

    /** By hand: the folder and the snapshot. Commits on the branch stay. */
    async purge(id: string): Promise<void> {
      const entry = kept().where(eq(sessionLogs.trash, id)).get();
      if (entry === undefined) throw notFound("archived worktree", id);
      await empty({ ...entry, id }, { isForGood: true });
    },

    /** After 30 days the folder goes, and its snapshot stays. Without one of everything git would keep, both do. */
    async purgeExpired(now = Date.now()): Promise<void> {
      await recordSetAside({ store, paths });
      const before = new Date(now - TRASH_DAYS * DAY_MS).toISOString();
      const expired = kept()
        .where(and(isNotNull(sessionLogs.trash), lt(sessionLogs.archivedAt, before)))
        .all();
      for (const entry of expired) {
        const { id, taskId, repository, snapshotRef } = entry;
        if (id === null || !goesByItself(entry)) continue;
        try {
          // Somebody may have deleted it since, or the repository was put back without it.
          const isThere =
            snapshotRef === null || (await snapshotsOf(repository, taskId)).includes(snapshotRef);
          if (isThere) await empty({ id, taskId, repository }, { isForGood: false });
        } catch (error) {
          log.error(`deleting the expired worktree ${id}`, error);
        }
      }
    },
  };
}

/** The only copy of somebody's work does not; what was just in the way of a worktree never has a snapshot. */
const goesByItself = ({ snapshotRef, archivedFor }: Pick<SessionLog, "snapshotRef" | "archivedFor">) =>
  (snapshotRef !== null && !isPartial(snapshotRef)) || archivedFor === SET_ASIDE;
