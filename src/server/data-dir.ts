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

/** How a running server announces itself, for `banto login` and for the message of a second server. */
interface Presence {
  pid: number;
  url: string;
}

export interface DataDir {
  path(name: string): string;
  /** Writes a 0600 file whole or not at all. */
  writePrivate(name: string, content: string): void;
  announce(presence: Presence): void;
  /** Gives up the directory. */
  release(): void;
}

/** A directory with any of these belongs to banto. */
const MARKS = ["agents.toml", "banto.db", "token"];

/** Creates the directory if needed, checks that it is writable and private, and locks it against a second server. */
export function claimDataDir(root: string): DataDir {
  const path = (name: string) => join(root, name);
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
    if (statSync(root).uid !== process.getuid?.()) throw new Error("it belongs to another user");
    const names = readdirSync(root);
    if (names.length === 0 || MARKS.some((name) => names.includes(name))) chmodSync(root, 0o700);
  } catch (cause) {
    throw new ConfigError(
      `cannot use the data directory ${root} (${reason(cause)}); make it writable or set BANTO_DATA_DIR to another one`,
    );
  }
  // Not fixed if it doesn't look like banto's: it may be a directory that others use.
  if (statSync(root).mode & 0o077) {
    throw new ConfigError(
      `other users can enter the data directory ${root}; if only banto uses it, run: chmod 700 '${root}'; otherwise set BANTO_DATA_DIR to another one`,
    );
  }
  const unlock = lock(root);
  rmSync(path("server.json"), { force: true }); // left by a server that was killed; another may have its address now
  return {
    path,
    writePrivate: (name, content) => writePrivate(path(name), content),
    announce: (presence) => writePrivate(path("server.json"), JSON.stringify(presence)),
    release() {
      rmSync(path("server.json"), { force: true });
      unlock();
    },
  };
}

export function writePrivate(path: string, content: string): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

/** The server that holds the directory, once it listens. What a killed server left behind does not count. */
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

/** A locked SQLite file: the kernel releases it however the process ends, so there are no stale locks. */
function lock(root: string): () => void {
  const file = join(root, "lock");
  let held: Database;
  try {
    held = new Database(file, { create: true });
    chmodSync(file, 0o600);
    // Servers that start at the same moment block each other for an instant, and one of them must win.
    held.run("PRAGMA busy_timeout = 500");
    held.run("BEGIN EXCLUSIVE"); // never ended: the transaction is the lock
  } catch (cause) {
    if ((cause as { code?: string }).code !== "SQLITE_BUSY") throw brokenLock(file, cause);
    const other = readPresence(root);
    const who = other ? ` (process ${other.pid}, ${other.url})` : "";
    throw new DataDirError(
      `another banto${who} is using the data directory ${root}; use that one, stop it, or set BANTO_DATA_DIR to another directory`,
    );
  }
  return () => held.close();
}

/** Checks without taking it, so several processes can check at once. */
export function isLocked(root: string): boolean {
  const file = join(root, "lock");
  if (!existsSync(file)) return false;
  try {
    using held = new Database(file, { readonly: true });
    held.query("SELECT 1 FROM sqlite_schema").all();
    return false;
  } catch (cause) {
    if ((cause as { code?: string }).code === "SQLITE_BUSY") return true;
    throw brokenLock(file, cause);
  }
}

/** Not fixed here: a server may have had it open since before it was overwritten. */
const brokenLock = (file: string, cause: unknown) =>
  new DataDirError(
    (cause as { code?: string }).code === "SQLITE_NOTADB"
      ? `the lock ${file} is not what banto writes; see that no other banto uses this data directory, delete it and try again`
      : `cannot use the lock ${file} (${reason(cause)}); see that it can be read and written, and that the disk is not full`,
  );

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
