// The snapshots in people's repositories: their sizes, when they expire, and how they are deleted.

import { eq, inArray } from "drizzle-orm";
import type { Store } from "../../db/open.ts";
import { operations, projects, sessionLogs, tasks } from "../../db/schema.ts";
import { notFound } from "../errors.ts";
import { bytesOf, deleteSnapshot, listSnapshots, type SnapshotRef } from "../git/snapshots/list.ts";
import { holdsOnlyCommits } from "../git/snapshots/only-commits.ts";
import { commonIfThere } from "../git/trash/trash.ts";
import type { KeyedQueue } from "../keyed-queue.ts";
import type { Log } from "../log.ts";
import { createMeasures } from "./measures.ts";
import { EARLIEST } from "./steady-clock.ts";

const DAY_MS = 86_400_000;

export type Snapshots = ReturnType<typeof createSnapshots>;

interface SnapshotParts {
  store: Store;
  queue: KeyedQueue;
  config: { snapshotDays: number };
  log: Log;
}

type Kept = "newest" | "partial" | "in_trash" | "in_use" | "only_copy";

/** A snapshot of a task that is in the database. Another banto may have its own in the same repository. */
interface Owned extends SnapshotRef {
  repository: string;
  newest: SnapshotRef;
  task: { title: string; projectId: string; projectName: string };
}

export function createSnapshots({ store, queue, config, log }: SnapshotParts) {
  const measures = createMeasures(log);
  /** Found out when they were due, because looking at commits takes too long for a list. */
  const onlyCopies = new Set<string>();

  async function owned(): Promise<Owned[]> {
    const rows = store.db
      .select({ id: projects.id, name: projects.name, path: projects.path })
      .from(projects)
      .all();
    const found: Owned[] = [];
    for (const repository of new Set(rows.map(({ path }) => path))) {
      if ((await commonIfThere(repository)) === null) continue;
      const all = await listSnapshots(repository);
      const newest = new Map<string, SnapshotRef>();
      for (const one of all) if (!newest.has(one.taskId)) newest.set(one.taskId, one);
      const known = store.db
        .select({ id: tasks.id, title: tasks.title, projectId: tasks.projectId, projectName: projects.name })
        .from(tasks)
        .innerJoin(projects, eq(projects.id, tasks.projectId))
        .where(inArray(tasks.id, [...newest.keys()]))
        .all();
      const byId = new Map(known.map(({ id, ...task }) => [id, task]));
      for (const one of all) {
        const [task, last] = [byId.get(one.taskId), newest.get(one.taskId)];
        if (task !== undefined && last !== undefined) found.push({ ...one, repository, newest: last, task });
      }
    }
    return found;
  }

  const logsOf = (ref: string) =>
    store.db.select().from(sessionLogs).where(eq(sessionLogs.snapshotRef, ref)).all();

  /** Why it does not expire, as far as the database tells. */
  function keptBecause({ ref, isPartial, newest, taskId }: Owned): Kept | null {
    if (ref === newest.ref) return "newest";
    if (isPartial) return "partial";
    const logs = logsOf(ref);
    if (logs.some(({ trash }) => trash !== null)) return "in_trash";
    const underWay = store.db.select().from(operations).where(eq(operations.taskId, taskId)).get();
    // Its worktree was restored beside the task's own, and is found by the snapshot's number.
    if (underWay !== undefined || logs.some(({ purgedAt }) => purgedAt === null)) return "in_use";
    return onlyCopies.has(ref) ? "only_copy" : null;
  }

  /** A snapshot by a clock that was not set counts from when that was noticed; see trash.ts. */
  function expiresAt({ ref, takenAt }: SnapshotRef): number {
    const isPlausible = takenAt >= EARLIEST;
    const since = isPlausible ? takenAt : (logsOf(ref)[0]?.archivedAt ?? new Date().toISOString());
    return Date.parse(since) + config.snapshotDays * DAY_MS;
  }

  async function remove(one: Owned, why: string): Promise<void> {
    await deleteSnapshot(one.repository, one);
    const purged = logsOf(one.ref).filter(({ trash, purgedAt }) => trash === null && purgedAt !== null);
    const ids = purged.map(({ id }) => id);
    store.write((tx) =>
      tx.update(sessionLogs).set({ snapshotRef: null }).where(inArray(sessionLogs.id, ids)).run(),
    );
    log.info(`snapshots: deleted ${one.ref} of ${JSON.stringify(one.task.title)}, ${why}`);
  }

  async function removeIfDue(due: Owned): Promise<void> {
    const one = (await owned()).find(({ ref, commit }) => ref === due.ref && commit === due.commit);
    if (one === undefined || keptBecause(one) !== null) return;
    if (await holdsOnlyCommits(one.repository, one.ref, [one.newest.commit])) onlyCopies.add(one.ref);
    else await remove(one, `after ${config.snapshotDays} days`);
  }

  return {
    /** Newest first, with sizes; null while a size is unknown. */
    async list() {
      const all = await owned();
      const sizes = all.map(({ commit, repository }) => [commit, () => bytesOf(repository, commit)] as const);
      await measures.measure(new Map(sizes));
      return all
        .toSorted((a, b) => b.takenAt.localeCompare(a.takenAt) || b.number - a.number)
        .map((one) => {
          const kept = keptBecause(one);
          const { ref, name, taskId, takenAt, commit, isPartial } = one;
          const goes = kept === null && config.snapshotDays > 0;
          return {
            ...{ ref, name, taskId, takenAt, isPartial, ...one.task },
            bytes: measures.get(commit) ?? null,
            /** Why it does not expire. */
            kept,
            expiresAt: goes ? new Date(expiresAt(one)).toISOString() : null,
          };
        });
    },

    /** By hand. */
    async remove(taskId: string, name: string): Promise<void> {
      await queue.run(taskId, async () => {
        const one = (await owned()).find((other) => other.taskId === taskId && other.name === name);
        if (one === undefined) throw notFound("snapshot", name);
        await remove(one, "as a person asked");
      });
    },

    /** Deletes those that are old enough. Call it only while the clock is right. */
    async expire(): Promise<void> {
      if (config.snapshotDays === 0) return;
      const now = Date.now();
      const due = (await owned()).filter((one) => expiresAt(one) <= now && keptBecause(one) === null);
      for (const one of due) {
        try {
          await queue.run(one.taskId, () => removeIfDue(one));
        } catch (error) {
          log.error(`deleting the snapshot ${one.ref}`, error);
        }
      }
    },
  };
}
