// Archived worktrees: what is kept and for how long, and the only place where anything is deleted for good.

import { and, desc, eq, isNotNull, lt } from "drizzle-orm";
import { type KeptBecause, TRASH_DAYS } from "../../contract.ts";
import type { Store } from "../../db/open.ts";
import { projects, sessionLogs, tasks } from "../../db/schema.ts";
import { notFound } from "../errors.ts";
import { diskUse } from "../git/disk/disk-use.ts";
import { isComplete } from "../git/snapshots/is-complete.ts";
import { isPartial, snapshotsOf } from "../git/snapshots/snapshot.ts";
import { purge } from "../git/trash/purge.ts";
import { holdsOtherHistory } from "../git/trash/repositories.ts";
import { commonIfThere } from "../git/trash/trash.ts";
import type { KeyedQueue } from "../keyed-queue.ts";
import type { Log } from "../log.ts";
import { createMeasures } from "./measures.ts";
import { recordSetAside, SET_ASIDE } from "./operations/set-aside.ts";
import type { SessionPaths } from "./paths.ts";
import type { Snapshots } from "./snapshots.ts";
import { EARLIEST, type SteadyClock } from "./steady-clock.ts";
import type { SessionLog } from "./store.ts";

const DAY_MS = 86_400_000;

export type Trash = ReturnType<typeof createTrash>;

interface TrashParts {
  store: Store;
  paths: SessionPaths;
  queue: KeyedQueue;
  clock: SteadyClock;
  snapshots: Pick<Snapshots, "expire">;
  log: Log;
}

interface Folder {
  id: string;
  taskId: string;
  title: string;
  branch: string | null;
  repository: string;
}

export function createTrash({ store, paths, queue, clock, snapshots, log }: TrashParts) {
  const measures = createMeasures(log);
  /** Found out when they expired, because checking every object takes too long for a list. */
  const keptSince = new Map<string, KeptBecause>();

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

  /** The folder's own. Others that no session names may be only copies, of which an older backup doesn't know. */
  async function snapshotsWith({ id, taskId, repository }: Folder): Promise<string[]> {
    if ((await commonIfThere(repository)) === null) return [];
    const logs = store.db.select().from(sessionLogs).where(eq(sessionLogs.taskId, taskId)).all();
    const own = new Set(logs.filter(({ trash }) => trash === id).map(({ snapshotRef }) => snapshotRef));
    return (await snapshotsOf(repository, taskId)).filter((ref) => own.has(ref));
  }

  async function empty(folder: Folder, { isForGood }: { isForGood: boolean }): Promise<void> {
    const { id, repository, title, branch } = folder;
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
    keptSince.delete(id);
    const rest = isForGood ? "and its snapshot, as a person asked" : `after ${TRASH_DAYS} days`;
    log.info(
      `the trash: deleted the worktree of ${JSON.stringify(title)}, ${branch ?? "on no branch"}, ${rest}`,
    );
  }

  /** Why this is the only copy, as far as its row and the repository's references tell. */
  function onlyCopy(entry: Pick<SessionLog, "snapshotRef" | "archivedFor">, refs: Set<string>) {
    const { snapshotRef, archivedFor } = entry;
    if (archivedFor === SET_ASIDE) return "aside";
    if (snapshotRef === null) return "no_snapshot";
    if (isPartial(snapshotRef)) return "partial";
    return refs.has(snapshotRef) ? null : "snapshot_gone";
  }

  async function refsIn(repository: string): Promise<Set<string>> {
    if ((await commonIfThere(repository)) === null) return new Set();
    return new Set(await snapshotsOf(repository));
  }

  /** The same after checking everything in the snapshot. */
  async function onlyCopyAfterAll(id: string, entry: { snapshotRef: string; repository: string }) {
    const { repository, snapshotRef } = entry;
    if (!(await isComplete(repository, snapshotRef))) return "snapshot_damaged";
    return (await holdsOtherHistory(repository, paths.trash(id), snapshotRef)) ? "partial" : null;
  }

  function purgeIfCopied(id: string): Promise<void> {
    const found = kept().where(eq(sessionLogs.trash, id)).get();
    return queue.run(found?.taskId ?? id, async () => {
      const entry = kept().where(eq(sessionLogs.trash, id)).get(); // it may have been restored meanwhile
      if (entry === undefined) return;
      const { snapshotRef, repository } = entry;
      const reason =
        onlyCopy(entry, await refsIn(repository)) ??
        (await onlyCopyAfterAll(id, { repository, snapshotRef: snapshotRef ?? "" }));
      if (reason === null) return empty({ ...entry, id }, { isForGood: false });
      if (keptSince.get(id) === reason) return;
      keptSince.set(id, reason);
      log.info(`the trash: keeps the worktree of ${JSON.stringify(entry.title)}, the only copy (${reason})`);
    });
  }

  return {
    /** One entry per folder, newest first, under the last session that worked in it. */
    async list() {
      await recordSetAside({ store, paths });
      const seen = new Set<string | null>();
      const entries = kept()
        .where(isNotNull(sessionLogs.trash))
        .all()
        .filter(({ id }) => !seen.has(id) && seen.add(id));
      const refs = new Map<string, Set<string>>();
      for (const { repository } of entries) {
        if (!refs.has(repository)) refs.set(repository, await refsIn(repository));
      }
      await measures.measure(
        new Map(entries.map(({ id }) => [id ?? "", () => diskUse(paths.trash(id ?? ""))])),
      );
      return entries.map((entry) => {
        const reason =
          onlyCopy(entry, refs.get(entry.repository) ?? new Set()) ?? keptSince.get(entry.id ?? "") ?? null;
        return {
          ...entry,
          /** Size on disk; null while unknown. */
          bytes: measures.get(entry.id ?? "") ?? null,
          /** Why it does not expire. */
          kept: reason,
          purgesAt:
            reason === null
              ? new Date(Date.parse(entry.archivedAt ?? "") + TRASH_DAYS * DAY_MS).toISOString()
              : null,
        };
      });
    },

    /** Deletes the folder and the snapshot on a person's request. Commits on the branch stay. */
    async purge(id: string): Promise<void> {
      const entry = kept().where(eq(sessionLogs.trash, id)).get();
      if (entry === undefined) throw notFound("archived worktree", id);
      await queue.run(entry.taskId, () => empty({ ...entry, id }, { isForGood: true }));
    },

    /** Deletes folders after 30 days if their snapshot has everything and the clock is right. Snapshots stay. */
    async purgeExpired(): Promise<void> {
      await recordSetAside({ store, paths });
      const doubtedSince = clock.look();
      if (doubtedSince !== null) {
        log.info(
          `the trash: the clock jumped, as seen at ${doubtedSince}; nothing is deleted before it has been steady for a day`,
        );
        return;
      }
      const now = new Date().toISOString();
      // What was archived while the clock was not set counts from now on.
      store.write((tx) =>
        tx.update(sessionLogs).set({ archivedAt: now }).where(lt(sessionLogs.archivedAt, EARLIEST)).run(),
      );
      const before = new Date(Date.parse(now) - TRASH_DAYS * DAY_MS).toISOString();
      const expired = kept()
        .where(and(isNotNull(sessionLogs.trash), lt(sessionLogs.archivedAt, before)))
        .all();
      for (const id of new Set(expired.map((entry) => entry.id))) {
        if (id === null) continue;
        try {
          await purgeIfCopied(id);
        } catch (error) {
          log.error(`deleting the expired worktree ${id}`, error);
        }
      }
      await snapshots.expire();
    },

    /** Since when nothing expires because the clock jumped. */
    clock: () => ({ doubtedSince: clock.doubtedSince() }),

    /** A person confirms that the clock is right. */
    confirmClock(): void {
      clock.confirm();
      log.info("the trash: a person said that the clock is right");
      this.purgeExpired().catch((error) => log.error("emptying the trash", error));
    },
  };
}
