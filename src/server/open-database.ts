// Opens the database, or says what is wrong with it. Creates a new one only if nothing suggests that there was one.

import { Database } from "bun:sqlite";
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { openStore, type Store } from "../db/open.ts";
import { NewerDatabase } from "../db/version.ts";
import { DataDirError } from "./data-dir.ts";
import { liveHosts } from "./hosts/live-hosts.ts";

const NAME = "banto.db";

export function openDatabase(root: string): Store {
  const file = join(root, NAME);
  try {
    return openStore(file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (cause instanceof NewerDatabase) {
      throw new DataDirError(
        `cannot open the database ${file}: ${reason}; update banto, or put a backup from before in its place (${newestBackup(root)})`,
      );
    }
    if (isDamage(cause)) {
      throw new DataDirError(
        `the database ${file} is damaged (${reason}); put a backup in its place (${newestBackup(root)}), or save what can be read: sqlite3 '${file}' .recover | sqlite3 '${file}.recovered'`,
      );
    }
    throw new DataDirError(
      `cannot open the database ${file} (${reason}); put it right, or a backup in its place (${newestBackup(root)}), or set BANTO_DATA_DIR to another directory`,
    );
  }
}

const isDamage = (cause: unknown) =>
  String((cause as { code?: unknown })?.code ?? "").startsWith("SQLITE_CORRUPT");

/** Refuses to start with an empty database beside work that a lost one must have known. */
export function requireNotLost(root: string): void {
  const state = stateOf(join(root, NAME));
  if (state === undefined) return;
  const left = [
    counted(entries(join(root, "worktrees")).length, "worktree"),
    counted(entries(join(root, "trash")).length, "archived worktree"),
    counted(liveHosts(root).length, "running agent or shell"),
  ].filter((what) => what !== undefined);
  if (left.length === 0) return;
  throw new DataDirError(
    `the database ${join(root, NAME)} is ${state}, though it should know of ${left.join(", ")} here; put a backup in its place (${newestBackup(root)}) and start again, or begin anew with BANTO_DATA_DIR set to another directory`,
  );
}

function stateOf(file: string): "missing" | "empty" | undefined {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return "missing";
  if (size === 0) return "empty";
  try {
    using database = new Database(file, { readonly: true });
    const tables = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'projects'").all();
    // Projects are never removed from this table.
    return tables.length === 0 || database.query("SELECT 1 FROM projects LIMIT 1").get() === null
      ? "empty"
      : undefined;
  } catch {
    return undefined; // opening it later will say what is wrong
  }
}

function entries(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
}

const counted = (number: number, what: string) =>
  number === 0
    ? undefined
    : `${number} ${what.replace(" or", number === 1 ? " or" : "s or")}${number === 1 ? "" : "s"}`;

/** Any database beside it, or in `backups`, that is not the one in use. */
function newestBackup(root: string): string {
  const found = [root, join(root, "backups")]
    .flatMap((folder) => entries(folder).map((name) => join(folder, name)))
    .filter((path) => path !== join(root, NAME) && path !== join(root, "lock") && isDatabase(path))
    .map((path) => ({ path, at: statSync(path).mtime }))
    .sort((a, b) => b.at.getTime() - a.at.getTime())[0];
  if (found === undefined) return "there is no backup beside it";
  return `the newest backup is ${found.path}, of ${found.at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function isDatabase(path: string): boolean {
  if (!statSync(path).isFile()) return false;
  const head = Buffer.alloc(16);
  const descriptor = openSync(path, "r");
  try {
    readSync(descriptor, head);
  } finally {
    closeSync(descriptor);
  }
  return head.toString("latin1") === "SQLite format 3\0";
}
