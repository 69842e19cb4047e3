import { and, eq, sql } from "drizzle-orm";
import { openStore } from "../../src/db/open.ts";
import { auditEntries, idempotencyKeys, projects, sessionLogs, tasks } from "../../src/db/schema.ts";
import type { NewEntry } from "../../src/server/audit/audit.ts";
import { readTask, storedTask, type TaskRow } from "../../src/server/tasks/task-row.ts";
import type { TestServer } from "./server.ts";

/** As on a full disk: until disposed, the server's database does not take such a change. */
function refuse(server: TestServer, change: string): Disposable {
  const run = (statement: string) => {
    const store = openStore(server.database);
    try {
      store.write((tx) => tx.run(sql.raw(statement)));
    } finally {
      store.close();
    }
  };
  run(`CREATE TRIGGER refused BEFORE ${change} BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
  return { [Symbol.dispose]: () => run("DROP TRIGGER refused") };
}

const OUTCOME = "UPDATE ON tasks WHEN old.session_operation IS NOT NULL AND new.session_operation IS NULL";

/** No operation's end can be written down, neither good nor bad. */
export const refuseOutcomes = (server: TestServer) => refuse(server, OUTCOME);

/** That an agent runs can't be written down; that it does not, can. */
export const refuseLaunched = (server: TestServer) =>
  refuse(server, `${OUTCOME} AND old.session_operation = 'start' AND new.session_status <> 'failed'`);

/** No session can be told to have ended. */
export const refuseLogs = (server: TestServer) => refuse(server, "INSERT ON session_logs");

/** Nothing can be kept for retries. */
export const refuseKeys = (server: TestServer) => refuse(server, "INSERT ON idempotency_keys");

/** Of no agent can it be written down that it waits. */
export const refuseWaiting = (server: TestServer) =>
  refuse(server, "UPDATE ON tasks WHEN new.session_status = 'waiting_for_input'");

/** That an operation came to a good end can't be written down; that it did not, can. */
export const refuseSuccess = (server: TestServer) =>
  refuse(server, `${OUTCOME} AND new.session_error IS NULL`);

/** What really is in the server's database, deleted rows included. */
export function readDatabase(server: TestServer) {
  const store = openStore(server.database);
  try {
    return {
      integrity: store.db.values<[string]>(sql`PRAGMA integrity_check`),
      tasks: store.db.select().from(tasks).all().map(readTask(store.root)),
      projects: store.db.select().from(projects).all(),
    };
  } finally {
    store.close();
  }
}

/** Writes a task's session columns, as the session runner does; nobody is told. */
export function writeTask(server: TestServer, id: string, columns: Partial<TaskRow>): void {
  const store = openStore(server.database);
  try {
    store.write((tx) => tx.update(tasks).set(storedTask(store.root, columns)).where(eq(tasks.id, id)).run());
  } finally {
    store.close();
  }
}

/** Makes everything that is in the trash older by so many days, in order; or only what is one task's. */
export function ageArchives(server: TestServer, days: number, taskId?: string, archivedFor?: string): void {
  const store = openStore(server.database);
  try {
    const earlier = sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${sessionLogs.archivedAt}, ${`${-days} days`})`;
    const some = and(
      taskId === undefined ? undefined : eq(sessionLogs.taskId, taskId),
      archivedFor === undefined ? undefined : eq(sessionLogs.archivedFor, archivedFor),
    );
    store.write((tx) => tx.update(sessionLogs).set({ archivedAt: earlier }).where(some).run());
  } finally {
    store.close();
  }
}

/** Makes everything that was kept for retries older by so many days. */
export function ageKeys(server: TestServer, days: number): void {
  const store = openStore(server.database);
  try {
    const ms = Math.round(days * 86_400_000);
    for (const { key, createdAt } of store.db.select().from(idempotencyKeys).all()) {
      const earlier = new Date(Date.parse(createdAt) - ms).toISOString();
      const one = eq(idempotencyKeys.key, key);
      store.write((tx) => tx.update(idempotencyKeys).set({ createdAt: earlier }).where(one).run());
    }
  } finally {
    store.close();
  }
}

/** What is kept for retries. */
export function readKeys(server: TestServer) {
  const store = openStore(server.database);
  try {
    return store.db.select().from(idempotencyKeys).all();
  } finally {
    store.close();
  }
}

/** Writes them, and everybody is told: any change by the API tells the whole row. */
export async function tellTask(server: TestServer, id: string, columns: Partial<TaskRow>): Promise<void> {
  writeTask(server, id, columns);
  await server.patch(`/api/tasks/${id}`, { pinned: false });
}

/** Nobody is told. */
export function writeAudit(server: TestServer, entry: NewEntry): void {
  const store = openStore(server.database);
  try {
    store.write((tx) =>
      tx
        .insert(auditEntries)
        .values({ ...entry, at: new Date().toISOString() })
        .run(),
    );
  } finally {
    store.close();
  }
}
