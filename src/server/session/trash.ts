// Archived worktrees: what is kept, for how long, and the one place where anything is deleted for good.

import { and, desc, eq, isNotNull, lt } from "drizzle-orm";
import { TRASH_DAYS } from "../../contract.ts";
import type { Store } from "../../db/open.ts";
import { projects, sessionLogs, tasks } from "../../db/schema.ts";
import { notFound } from "../errors.ts";
import { purge } from "../git/purge.ts";
import type { Log } from "../log.ts";
import type { Lanes } from "./lanes.ts";
import type { SessionPaths } from "./paths.ts";
import { recordSetAside } from "./set-aside.ts";

const DAY_MS = 86_400_000;

export type Trash = ReturnType<typeof createTrash>;

interface TrashParts {
  store: Store;
  paths: SessionPaths;
  lanes: Lanes;
  log: Log;
}

export function createTrash({ store, paths, lanes, log }: TrashParts) {
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

  async function empty(folder: { id: string; taskId: string; repository: string; ref: string | null }) {
    const { id, taskId, repository, ref } = folder;
    await lanes.enter(taskId, async () => {
      await purge({ repository, trashPath: paths.trash(id), ...(ref !== null && { snapshotRef: ref }) });
      store.write((tx) =>
        tx
          .update(sessionLogs)
          .set({
            trash: null,
            purgedAt: new Date().toISOString(),
            ...(ref !== null && { snapshotRef: null }),
          })
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
          purgesAt: new Date(Date.parse(entry.archivedAt ?? "") + TRASH_DAYS * DAY_MS).toISOString(),
        }));
    },

    /** By hand: the folder and the snapshot. Commits on the branch stay. */
    async purge(id: string): Promise<void> {
      const entry = kept().where(eq(sessionLogs.trash, id)).get();
      if (entry === undefined) throw notFound("archived worktree", id);
      await empty({ id, taskId: entry.taskId, repository: entry.repository, ref: entry.snapshotRef });
    },

    /** After 30 days the folder goes; the snapshot of everything git would keep stays. */
    async purgeExpired(now = Date.now()): Promise<void> {
      await recordSetAside({ store, paths });
      const before = new Date(now - TRASH_DAYS * DAY_MS).toISOString();
      const expired = kept()
        .where(and(isNotNull(sessionLogs.trash), lt(sessionLogs.archivedAt, before)))
        .all();
      for (const { id, taskId, repository } of expired) {
        if (id === null) continue;
        try {
          await empty({ id, taskId, repository, ref: null });
        } catch (error) {
          log.error(`deleting the expired worktree ${id}`, error);
        }
      }
    },
  };
}
