import { eq, lt } from "drizzle-orm";
import type { Store, Tx } from "../../db/open.ts";
import { idempotencyKeys, projects, tasks } from "../../db/schema.ts";
import { readTask } from "../tasks/task-row.ts";

const KEPT_MS = 86_400_000;

export type RowName = "Task" | "Project";

export interface KeyedRequest {
  key: string;
  /** A digest of the request. */
  request: string;
}

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

/** Requests by their key, and their answers, for a day. */
export function createIdempotencyKeys({ store }: { store: Store }) {
  const oldest = () => new Date(Date.now() - KEPT_MS).toISOString();
  const where = (key: string) => eq(idempotencyKeys.key, key);

  function record(tx: Tx, keyed: KeyedRequest, rowId?: string) {
    const row = { ...keyed, rowId: rowId ?? null, createdAt: new Date().toISOString() };
    tx.delete(idempotencyKeys).where(where(keyed.key)).run(); // one that is older than a day
    tx.insert(idempotencyKeys).values(row).run();
  }

  return {
    find(key: string) {
      const row = store.db.select().from(idempotencyKeys).where(where(key)).get();
      return row !== undefined && row.createdAt > oldest() ? row : undefined;
    },

    /** For the transaction that makes the change. */
    record,

    /** For a change that is not one transaction: recorded before it starts. */
    recordAhead: (keyed: KeyedRequest) => store.note((tx) => record(tx, keyed)),

    answered: (keyed: KeyedRequest, status: number, body: string | null) =>
      store.note((tx) => {
        const answer = { status, body };
        const known = tx.update(idempotencyKeys).set(answer).where(where(keyed.key)).returning().get();
        if (known !== undefined) return;
        record(tx, keyed);
        tx.update(idempotencyKeys).set(answer).where(where(keyed.key)).run();
      }),

    forget: (key: string) => store.note((tx) => tx.delete(idempotencyKeys).where(where(key)).run()),

    sweep: () =>
      store.write((tx) => tx.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, oldest())).run()),

    /** The row as it is now, deleted or not. */
    row(name: RowName, id: string) {
      if (name === "Project") return store.db.select().from(projects).where(eq(projects.id, id)).get();
      const task = store.db.select().from(tasks).where(eq(tasks.id, id)).get();
      return task && readTask(store.root)(task);
    },
  };
}
