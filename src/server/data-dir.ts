import { Database } from "bun:sqlite";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config.ts";

export class DataDirError extends Error {}

/** Where a running server says who and where it is, for `banto login` and for a second server's refusal. */
interface Presence {
  pid: number;
  url: string;
}

export interface DataDir {
  path(name: string): string;
  /** Writes a 0600 file whole or not at all. */
  writePrivate(name: string, content: string): void;
  announce(presence: Presence): void;
  /** Gives the directory up. */
  release(): void;
}

/** By any of these a directory is known to be banto's. */
const MARKS = ["agents.toml", "banto.db", "token"];

/** Makes the directory, sees that it can be written and is its owner's only, and holds it against a second server. */
export function claimDataDir(root: string): DataDir {
  const path = (name: string) => join(root, name);
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
    const names = readdirSync(root);
    if (names.length === 0 || MARKS.some((name) => names.includes(name))) chmodSync(root, 0o700);
  } catch (cause) {
    throw new ConfigError(
      `cannot use the data directory ${root} (${reason(cause)}); make it writable or set BANTO_DATA_DIR to another one`,
    );
  }
  // Not put right where there is only something else: it may be a directory that others live in.
  if (statSync(root).mode & 0o077) {
    throw new ConfigError(
      `other users can enter the data directory ${root}; if it is banto's alone, run: chmod 700 '${root}'; else set BANTO_DATA_DIR to one that is`,
    );
  }
  const unlock = lock(root);
  rmSync(path("server.json"), { force: true }); // left by one that was killed; its address may be another's now
  const writePrivate = (name: string, content: string) => {
    const temporary = path(`${name}.new`);
    writeFileSync(temporary, content, { mode: 0o600, flush: true });
    renameSync(temporary, path(name));
  };
  return {
    path,
    writePrivate,
    announce: (presence) => writePrivate("server.json", JSON.stringify(presence)),
    release() {
      rmSync(path("server.json"), { force: true });
      unlock();
    },
  };
}

/** The server that holds the directory, once it listens. What one that was killed has left does not count. */
export function findServer(root: string): Presence | undefined {
  return isLocked(root) ? readPresence(root) : undefined;
}

function readPresence(root: string): Presence | undefined {
  try {
    return JSON.parse(readFileSync(join(root, "server.json"), "utf8")) as Presence;
  } catch {
    return undefined; // no server has announced itself
  }
}

/** An SQLite file kept locked: the kernel frees it however the process ends, so no stale lock is possible. */
function lock(root: string): () => void {
  const file = join(root, "lock");
  let held: Database;
  try {
    held = new Database(file, { create: true });
    chmodSync(file, 0o600);
    // Servers that start at the same moment get in each other's way for an instant: one of them must win.
    held.run("PRAGMA busy_timeout = 500");
    held.run("BEGIN EXCLUSIVE"); // never ended: the transaction is the lock
  } catch (cause) {
    if ((cause as { code?: string }).code !== "SQLITE_BUSY") {
      throw new DataDirError(`cannot lock the data directory ${root} (${reason(cause)})`);
    }
    const other = readPresence(root);
    const who = other ? ` (process ${other.pid}, ${other.url})` : "";
    throw new DataDirError(
      `another banto${who} is using the data directory ${root}; use that one, stop it, or set BANTO_DATA_DIR to another directory`,
    );
  }
  return () => held.close();
}

/** Looks without taking it: several may look at once. */
function isLocked(root: string): boolean {
  const file = join(root, "lock");
  if (!existsSync(file)) return false;
  try {
    using held = new Database(file, { readonly: true });
    held.query("SELECT 1 FROM sqlite_schema").all();
    return false;
  } catch (cause) {
    if ((cause as { code?: string }).code === "SQLITE_BUSY") return true;
    throw new DataDirError(`cannot read the data directory ${root} (${reason(cause)})`);
  }
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
