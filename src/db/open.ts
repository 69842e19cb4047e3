import { Database } from "bun:sqlite";
import { AsyncLocalStorage } from "node:async_hooks";
import { chmodSync, closeSync, existsSync, fdatasync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { migrate } from "drizzle-orm/bun-sqlite/migrator";
import * as schema from "./schema.ts";
import { noteVersion, requireNotNewer } from "./version.ts";

type Db = BunSQLiteDatabase<typeof schema>;

/** The same queries, inside a transaction. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/**
 * What a request records about itself. It goes into the request's first transaction, so that neither is on disk without
 * the other.
 */
export interface RequestScope {
  record?(tx: Tx, result: unknown): void;
}

export const requestScope = new AsyncLocalStorage<RequestScope>();

export interface Store {
  db: Db;
  /** The data directory. Paths in the database are relative to it. */
  root: string;
  /** One short synchronous BEGIN IMMEDIATE transaction. Every write goes through it. */
  write<T>(change: (tx: Tx) => T): T;
  /**
   * The same without waiting for the disk, for what would be found out again. It survives the end of this process,
   * and a power cut too, once anything is written after it.
   */
  note<T>(change: (tx: Tx) => T): T;
  /** Resolves once everything noted so far would survive a power cut. Other work goes on meanwhile. */
  settled(): Promise<void>;
  close(): void;
}

/** SQLite gives the files beside the database the same mode. Those of older versions were readable by everybody. */
function closeToOthers(path: string) {
  closeSync(openSync(path, "a", 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

export function openStore(path: string): Store {
  closeToOthers(path);
  const sqlite = new Database(path, { create: true, strict: true });
  sqlite.run("PRAGMA busy_timeout = 5000"); // first, because the others may have to wait for a lock
  // FULL: a commit that was acknowledged survives a power cut, not only a crash.
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run("PRAGMA foreign_keys = ON");
  requireNotNewer(sqlite);
  requireSound(sqlite);
  const db = drizzle({ client: sqlite, schema, casing: "snake_case" });
  migrate(db, { migrationsFolder: join(import.meta.dir, "migrations") });
  noteVersion(sqlite);
  // The write-ahead log. It stays the same file for as long as the database is open.
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
    root: dirname(path),
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

/** Finds damage at start-up, before some query happens to hit it. */
function requireSound(sqlite: Database): void {
  const [{ quick_check: found = "ok" } = {}] = sqlite
    .query<{ quick_check: string }, []>("PRAGMA quick_check(1)")
    .all();
  if (found === "ok") return;
  throw Object.assign(new Error(found.split("\n").at(-1)), { code: "SQLITE_CORRUPT" });
}
