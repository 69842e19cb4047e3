// Which data directory this is. It records an id and the place where it last ran, which tells a moved directory from a
// copied one. A copy has the same agents and worktrees as its original, so only one of them may be used.

import { Database } from "bun:sqlite";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { DataDirError, isLocked, writePrivate } from "./data-dir.ts";
import { liveHosts } from "./hosts/live-hosts.ts";
import { newId } from "./ids.ts";

interface Identity extends Place {
  /** undefined if an older version ran last. */
  id?: string | undefined;
}

interface Place {
  path: string;
  device?: number;
  inode?: number;
}

export interface Identified {
  /** Where it was when it last ran; undefined if that was here. */
  before: string | undefined;
  /** Call it once everything outside that refers to the old place has been updated. */
  settle(): void;
}

const identityFile = (root: string) => join(root, "identity.json");

/** Refuses a copy whose original still exists, unless this one was chosen. */
export function identify(root: string, { goesOnHere = false } = {}): Identified {
  const here = placeOf(realpathSync(root));
  const known = readIdentity(root) ?? readOlder(root);
  const own: Identity = { id: known?.id ?? newId(), ...here };
  const elsewhere = known?.path === here.path ? undefined : known;
  const original = elsewhere && isStillThere(elsewhere, here) ? elsewhere.path : undefined;
  if (elsewhere && original) requireChoice(here, elsewhere, goesOnHere);
  return {
    // The path from an older version may differ only by a symbolic link.
    before: known?.id === undefined ? known?.path : elsewhere?.path,
    settle() {
      const text = JSON.stringify(own);
      // Makes the original look like a copy, so that it doesn't start either unless it is chosen.
      if (original !== undefined) writePrivate(identityFile(original), text);
      if (text !== JSON.stringify(known)) writePrivate(identityFile(root), text);
    },
  };
}

function placeOf(path: string): Required<Place> {
  const { dev: device, ino: inode } = statSync(path);
  return { path, device, inode };
}

function readIdentity(root: string): Identity | undefined {
  try {
    const { id, path, device, inode } = JSON.parse(readFileSync(identityFile(root), "utf8"));
    return typeof id === "string" && typeof path === "string" ? { id, path, device, inode } : undefined;
  } catch {
    return undefined; // there is none yet, or it is not banto's
  }
}

/** Up to 0.1 the database had absolute paths of worktrees. */
function readOlder(root: string): Identity | undefined {
  const file = join(root, "banto.db");
  if (!existsSync(file)) return undefined;
  try {
    using database = new Database(file);
    const row = database
      .query<{ path: string }, []>(
        "SELECT worktree_path path FROM tasks WHERE worktree_path LIKE '/%/worktrees/' || id",
      )
      .get();
    if (row === null) return undefined;
    const path = row.path.slice(0, row.path.lastIndexOf("/worktrees/"));
    return { path: existsSync(path) ? realpathSync(path) : path };
  } catch {
    return undefined; // opening it later will say what is wrong
  }
}

/** Whether the place that this directory names has a different folder with the same id. */
function isStillThere({ id, path }: Identity, here: Required<Place>): boolean {
  if (!existsSync(join(path, "banto.db"))) return false;
  const there = placeOf(path);
  if (there.device === here.device && there.inode === here.inode) return false;
  return readIdentity(path)?.id === id;
}

function requireChoice(here: Required<Place>, known: Identity, goesOnHere: boolean): void {
  const [ours, theirs] = [here.path, known.path];
  if (!goesOnHere) {
    const isOriginal = known.device === here.device && known.inode === here.inode;
    const [copy, original] = isOriginal ? [theirs, ours] : [ours, theirs];
    throw new DataDirError(
      `${copy} is a copy of the data directory ${original}: git knows their worktrees only once, so one of them may go on; to go on with ${theirs}, set BANTO_DATA_DIR to it; to go on with ${ours}, start banto on it once with --go-on-here, and the other one no longer starts`,
    );
  }
  const inUse = isLocked(theirs) ? "a banto runs" : liveHosts(theirs).length > 0 ? "agents still run" : null;
  if (inUse === null) return;
  throw new DataDirError(
    `${inUse} on ${theirs}; stop what runs there, then start this one with --go-on-here`,
  );
}
