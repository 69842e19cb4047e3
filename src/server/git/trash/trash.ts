// An archived worktree stays whole: its files go to <trash>/<id>/worktree, its administrative directories to
// <repository>/banto/trash/<id>. Both are renames within one disk, so nothing is copied and nothing can be half done.

import { existsSync } from "node:fs";
import { access, constants, mkdir, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { DomainError } from "../../errors.ts";
import { errorCode, lstatIfThere, moveOnce } from "../disk/if-there.ts";
import { readRecord, syncDirectory, writeDurably } from "../disk/records.ts";
import { administrationsWithin, canonicalPlace, commonDirectory } from "../repository/administration.ts";
import { type Head, readHead } from "../repository/head.ts";
import { explaining } from "../run/failure.ts";

export const TRASH_STEPS = ["recorded", "administration-moved", "files-moved", "finished"] as const;

/** What is in the trash, written before anything is moved there. */
export interface TrashRecord {
  /** Where the worktree was. */
  path: string;
  movedAt: string;
  isWhole: boolean;
  administrations: TrashedAdministration[];
}

interface TrashedAdministration extends Head {
  name: string;
  /** "" for the worktree itself; the relative path of a worktree inside it. */
  below: string;
}

export interface MoveToTrash {
  repository: string;
  path: string;
  trashPath: string;
  checkpoint?: (step: (typeof TRASH_STEPS)[number]) => void;
}

const recordFile = (trashPath: string) => join(trashPath, "record.json");
/** The plan of a restore in progress. */
export const planFile = (trashPath: string) => join(trashPath, "restore.json");
export const trashedFiles = (trashPath: string) => join(trashPath, "worktree");
export const trashedAdministrations = (common: string, trashPath: string) =>
  join(common, "banto/trash", basename(trashPath));

export async function moveToTrash(input: MoveToTrash): Promise<void> {
  await explaining(`move ${input.path} to the trash`, async () => {
    const path = await canonicalPlace(input.path);
    await move({ ...input, path }, await commonIfThere(input.repository));
  });
}

/** null if the repository is gone: the worktree's files are still worth keeping. */
export async function commonIfThere(repository: string): Promise<string | null> {
  try {
    return await commonDirectory(repository);
  } catch (cause) {
    if (cause instanceof DomainError) return null;
    throw cause;
  }
}

async function move({ path, trashPath, checkpoint }: MoveToTrash, common: string | null): Promise<void> {
  await requireMovable(path);
  await mkdir(trashPath, { recursive: true, mode: 0o700 });
  await requireOneDisk(path, trashPath);
  const record = await recordMove(path, trashPath, common).catch(async (cause) => {
    await rm(`${recordFile(trashPath)}.new`, { force: true });
    await removeIfEmpty(trashPath); // it was made for nothing
    throw cause;
  });
  checkpoint?.("recorded");
  try {
    // Moved first, because `git worktree prune` would delete the index of a worktree whose files are missing.
    if (common !== null) await moveAdministrations(common, trashPath, record);
    checkpoint?.("administration-moved");
    await moveOnce(path, trashedFiles(trashPath));
  } catch (cause) {
    if (common !== null && !existsSync(trashedFiles(trashPath))) await moveBack(common, trashPath, record);
    throw cause;
  }
  if (existsSync(path)) throw new DomainError("conflict", `${trashPath} holds another worktree already.`);
  await Promise.all([syncDirectory(trashPath), syncDirectory(dirname(path))]);
  checkpoint?.("files-moved");
  await writeDurably(recordFile(trashPath), { ...record, isWhole: true });
  checkpoint?.("finished");
}

async function moveAdministrations(common: string, trashPath: string, { administrations }: TrashRecord) {
  const folder = trashedAdministrations(common, trashPath);
  await mkdir(folder, { recursive: true });
  for (const { name } of administrations) await moveOnce(join(common, "worktrees", name), join(folder, name));
  await syncDirectory(folder);
}

/** Undoes the first move because the files could not follow: without these, they would not be a worktree. */
async function moveBack(common: string, trashPath: string, { administrations }: TrashRecord): Promise<void> {
  const folder = trashedAdministrations(common, trashPath);
  for (const { name } of administrations) await moveOnce(join(folder, name), join(common, "worktrees", name));
  await forgetTrash(common, trashPath);
}

/** Removes only known files and empty folders. Anything else stays, so that people can look at it. */
export async function forgetTrash(common: string, trashPath: string): Promise<void> {
  for (const file of [planFile(trashPath), recordFile(trashPath)]) await rm(file, { force: true });
  for (const folder of [trashPath, trashedAdministrations(common, trashPath)]) await removeIfEmpty(folder);
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (cause) {
    if (!["ENOENT", "ENOTEMPTY"].includes(errorCode(cause) ?? "")) throw cause;
  }
}

/** Moving a folder requires write access to it, because its `..` changes. */
async function requireMovable(path: string): Promise<void> {
  if ((await lstatIfThere(Buffer.from(path)))?.isDirectory()) await access(path, constants.W_OK);
}

export async function requireOneDisk(path: string, trashPath: string): Promise<void> {
  const [from, to] = await Promise.all([stat(dirname(path)), stat(trashPath)]);
  if (from.dev === to.dev) return;
  throw new DomainError(
    "invalid",
    `${trashPath} is not on the same disk as ${path}. Keep worktrees and trash of banto's data directory on one disk.`,
  );
}

/** Another attempt adds what it finds to the first one's record, because some may have been moved already. */
async function recordMove(path: string, trashPath: string, common: string | null): Promise<TrashRecord> {
  const before = await readTrash(trashPath);
  if (before?.isWhole) return before;
  const found = common === null ? [] : await administrationsWithin(common, path);
  const seen = found.map(async ({ name, directory, worktree }) => ({
    name,
    below: relative(path, worktree),
    ...(await readHead(directory)),
  }));
  const administrations = [...(before?.administrations ?? [])];
  for (const one of await Promise.all(seen)) {
    if (!administrations.some(({ name }) => name === one.name)) administrations.push(one);
  }
  const record = { path, movedAt: new Date().toISOString(), isWhole: false, administrations };
  await writeDurably(recordFile(trashPath), record);
  return record;
}

export async function readTrash(trashPath: string): Promise<TrashRecord | undefined> {
  const record = await readRecord<TrashRecord>(recordFile(trashPath));
  return record?.path && record.administrations ? (record as TrashRecord) : undefined;
}

/** `<trash>/<owner>`, or with a number: a place to which nothing was moved yet, or not everything. */
export async function freeTrashPlace(trash: string, owner: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const place = join(trash, n === 1 ? owner : `${owner}-${n}`);
    if (!(await readTrash(place))?.isWhole) return place;
  }
}
