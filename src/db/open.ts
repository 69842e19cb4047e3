import { Database } from "bun:sqlite";
import { AsyncLocalStorage } from "node:async_hooks";
import { closeSync, fdatasync, openSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { migrate } from "drizzle-orm/bun-sqlite/migrator";
import * as schema from "./schema.ts";

type Db = BunSQLiteDatabase<typeof schema>;

/** What a write sees: the same queries, inside one transaction. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/**
 * What a request records about itself: it is part of the first transaction made on the request's behalf, so that
 * neither is on disk without the other.
 */
export interface RequestScope {
  record?(tx: Tx, result: unknown): void;
}

export const requestScope = new AsyncLocalStorage<RequestScope>();

export interface Store {
  db: Db;
  /** One short synchronous BEGIN IMMEDIATE transaction; every write goes through it. */
  write<T>(change: (tx: Tx) => T): T;
  /**
   * The same, but nobody waits for the disk: for what would be found out again. It survives the end of this
   * process, and a power cut too as soon as anything is written after it.
   */
  note<T>(change: (tx: Tx) => T): T;
  /** Until everything noted so far would survive a power cut; meanwhile other work goes on. */
  settled(): Promise<void>;
  close(): void;
}

export function openStore(path: string): Store {
  const sqlite = new Database(path, { create: true, strict: true });
  sqlite.run("PRAGMA busy_timeout = 5000"); // first, for the others may have to wait for a lock
  // FULL: a commit that was acknowledged survives a power cut, not only a crash.
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run("PRAGMA foreign_keys = ON");
  const db = drizzle({ client: sqlite, schema, casing: "snake_case" });
  migrate(db, { migrationsFolder: join(import.meta.dir, "migrations") });
  // What is not in the database itself yet; it is there as long as this is open, and never another one.
  const log = openSync(`${path}-wal`, "r+");
  const write: Store["write"] = (change) =>
    db.transaction(
      (tx) => {
        const result = change(tx);
        requestScope.getStore()?.record?.(tx, result);
        return result;
      },
      { behavior: "immediate" },
    );
  return {
    db,
    write,
    note(change) {
      sqlite.run("PRAGMA synchronous = NORMAL");
      try {
        return write(change);
      } finally {
        sqlite.run("PRAGMA synchronous = FULL");
      }
    },
    settled: () => promisify(fdatasync)(log),
    close() {
      closeSync(log);
      sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
      sqlite.close();
    },
  };
}
