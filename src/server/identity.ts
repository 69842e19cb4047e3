// Which data directory this is. It records an id and the place where it last ran, which tells a moved directory from a
// copied one. A copy has the same agents and worktrees as its original, so only one of them may be used.

import { Database } from "bun:sqlite";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { DataDirError, isLocked, writePrivate } from "./data-dir.ts";
import { administrations } from "./git/repository/administration.ts";
import { commonIfThere } from "./git/trash/trash.ts";
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
export async function identify(root: string, { goesOnHere = false } = {}): Promise<Identified> {
  const here = placeOf(realpathSync(root));
  const known = readIdentity(root) ?? readOlder(root);
  const own: Identity = { id: known?.id ?? newId(), ...here };
  const elsewhere = known?.path === here.path ? undefined : known;
  const original = elsewhere && (await findOther(root, here, elsewhere));
  if (elsewhere && original) requireChoice(here, { ...elsewhere, path: original }, goesOnHere);
  else if (elsewhere) requireOwnAgents(here, elsewhere);
  return {
    // The path from an older version may differ only by a symbolic link.
    before: original ?? (known?.id === undefined ? known?.path : elsewhere?.path),
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

/** Another directory with the same id: where this one says that it was, or where git has its worktrees. */
async function findOther(
  root: string,
  here: Required<Place>,
  { id, path }: Identity,
): Promise<string | undefined> {
  const isOther = (candidate: string) => {
    if (!existsSync(join(candidate, "banto.db"))) return false;
    const there = placeOf(candidate);
    if (there.device === here.device && there.inode === here.inode) return false;
    // An older version made this copy, before its original got an id.
    return id === undefined || readIdentity(candidate)?.id === id;
  };
  if (isOther(path)) return path;
  for (const candidate of await placesByGit(root)) if (isOther(candidate)) return candidate;
  return undefined;
}

/** The data directories in which git has worktrees of this one's tasks. */
async function placesByGit(root: string): Promise<Set<string>> {
  const places = new Set<string>();
  const { repositories, tasks } = readBoard(root);
  for (const repository of repositories) {
    const common = await commonIfThere(repository);
    if (common === null) continue;
    for (const { worktree } of await administrations(common)) {
      const [, place, task = ""] = /^(.+)\/worktrees\/(\w{16})(?:[-/]|$)/.exec(worktree) ?? [];
      if (place !== undefined && tasks.has(task)) places.add(place);
    }
  }
  return places;
}

function readBoard(root: string): { repositories: string[]; tasks: Set<string> } {
  try {
    using database = new Database(join(root, "banto.db"));
    const column = (query: string) =>
      database
        .query<{ value: string }, []>(query)
        .all()
        .map(({ value }) => value);
    return {
      repositories: column("SELECT DISTINCT path value FROM projects"),
      tasks: new Set(column("SELECT id value FROM tasks")),
    };
  } catch {
    return { repositories: [], tasks: new Set() }; // opening it later will say what is wrong
  }
}

/** Agents stay with a directory that is renamed. Those that a copy names are its original's, wherever that is now. */
function requireOwnAgents(here: Required<Place>, { path, device, inode }: Identity): void {
  const isRenamed = inode === undefined || (device === here.device && inode === here.inode);
  if (isRenamed || liveHosts(here.path).length === 0) return;
  throw new DataDirError(
    `${here.path} was copied from the data directory ${path}, whose agents are still running; go on with that one, wherever it is now, or end its agents, then start this one`,
  );
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
