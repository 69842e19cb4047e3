import { existsSync } from "node:fs";
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { DomainError } from "../../errors.ts";
import { listIfThere, moveOnce } from "../disk/if-there.ts";
import { readRecord, syncDirectory, writeDurably, writeRecord } from "../disk/records.ts";
import { administrationOf, canonicalPlace } from "../repository/administration.ts";
import {
  forgetTrash,
  planFile,
  readTrash,
  requireOneDisk,
  type TrashRecord,
  trashedAdministrations,
  trashedFiles,
} from "../trash/trash.ts";
import { locksIn, setLocksAside } from "../worktrees/left-locks.ts";
import { RECORD } from "../worktrees/record.ts";
import { type BranchPlan, planBranch, putOnBranch } from "./branch.ts";
import type { RestoredWorktree, RestoreWorktree } from "./request.ts";
import { repairSubmodules } from "./submodules.ts";

export const RESTORE_STEPS = ["planned", "files-moved", "registered", "on-branch", "finished"] as const;

/** Written to the trash before anything leaves it, so that another attempt does the same. */
interface RestorePlan extends BranchPlan {
  path: string;
  /** New names of administrative directories, by their old names. */
  names: Record<string, string>;
}

interface Restoring extends RestoreWorktree {
  owner: string;
}

/** What is moved, and where. */
interface Move {
  common: string;
  trashPath: string;
  owner: string;
  record: TrashRecord;
  plan: RestorePlan;
}

/** Where an earlier attempt was going to put it. */
export async function plannedPlace(trashPath: string): Promise<string | undefined> {
  return (await readPlan(trashPath))?.path;
}

/** Stored relative to the trash, because the data directory may be moved before the next attempt. */
async function readPlan(trashPath: string): Promise<RestorePlan | undefined> {
  const stored = await readRecord<RestorePlan>(planFile(trashPath));
  if (stored?.path === undefined) return undefined;
  return { ...(stored as RestorePlan), path: resolve(await canonicalPlace(trashPath), stored.path) };
}

async function writePlan(trashPath: string, plan: RestorePlan): Promise<void> {
  const path = relative(await canonicalPlace(trashPath), plan.path);
  await writeDurably(planFile(trashPath), { ...plan, path });
}

export async function restoreFromTrash(input: Restoring, common: string): Promise<RestoredWorktree> {
  const { trashPath, path, owner, checkpoint } = input;
  const record = await recordOf(trashPath, path);
  const plan = await makePlan(input, record, common);
  checkpoint?.("planned");
  const move = { common, trashPath, owner, record, plan };
  await requireOwn(move);
  let notes: string[];
  try {
    notes = await bringBack(input, move);
  } catch (cause) {
    // Left halfway, it would conflict with a new worktree in the same place.
    await takeBack(move);
    throw cause;
  }
  checkpoint?.("finished");
  await forgetTrash(common, trashPath);
  return { branch: plan.branch, path, notes };
}

async function bringBack({ repository, checkpoint }: Restoring, move: Move): Promise<string[]> {
  const { trashPath, owner, plan } = move;
  await requireOneDisk(plan.path, trashPath);
  await moveOnce(trashedFiles(trashPath), plan.path);
  await Promise.all([syncDirectory(trashPath), syncDirectory(dirname(plan.path))]);
  checkpoint?.("files-moved");
  const notes = await register(move);
  checkpoint?.("registered");
  const main = mainAdministration(move);
  if (main !== undefined) await putOnBranch(repository, main, plan);
  checkpoint?.("on-branch");
  if (main !== undefined) {
    const { branch, commit: baseCommit } = plan;
    await writeDurably(join(main, RECORD), { owner, branch, baseCommit, notes });
  }
  return notes;
}

/** Cancels an earlier attempt that was going to another place. */
export async function cancelRestore(common: string, trashPath: string, owner: string): Promise<void> {
  const plan = await readPlan(trashPath);
  if (plan === undefined) return;
  const move = { common, trashPath, owner, plan, record: await recordOf(trashPath, plan.path) };
  await requireOwn(move);
  await takeBack(move);
}

const recordOf = async (trashPath: string, path: string): Promise<TrashRecord> =>
  (await readTrash(trashPath)) ?? { path, movedAt: "", isWhole: true, administrations: [] };

/** Checks that files that have left the trash are still these: a new worktree may have been made in their place. */
async function requireOwn({ common, trashPath, owner, plan: { path } }: Move): Promise<void> {
  if (existsSync(trashedFiles(trashPath))) return;
  const there = await administrationOf(common, path);
  if (there !== undefined) await requireOwner(there.directory, owner, path);
}

async function requireOwner(administration: string, owner: string, path: string): Promise<void> {
  if (await isOf(owner, administration)) return;
  throw new DomainError("conflict", `There is something at ${path} that is not this worktree.`);
}

const isOf = async (owner: string, administration: string) =>
  (await readRecord<{ owner: string }>(join(administration, RECORD)))?.owner === owner;

async function takeBack({ common, trashPath, owner, record, plan }: Move): Promise<void> {
  for (const { name } of record.administrations) {
    const directory = join(common, "worktrees", plan.names[name] ?? name);
    if (!(await isOf(owner, directory))) continue;
    await moveOnce(directory, join(trashedAdministrations(common, trashPath), name));
  }
  await moveOnce(plan.path, trashedFiles(trashPath));
  await rm(planFile(trashPath), { force: true });
}

async function makePlan(input: RestoreWorktree, record: TrashRecord, common: string): Promise<RestorePlan> {
  const { repository, trashPath, path, branch } = input;
  const before = await readPlan(trashPath);
  // A plan that has not moved anything yet may be out of date.
  if (before?.path === path && !existsSync(trashedFiles(trashPath))) return before;
  const folder = trashedAdministrations(common, trashPath);
  const taken = new Set(await listIfThere(join(common, "worktrees")));
  const names: Record<string, string> = {};
  for (const { name } of record.administrations) {
    if (!existsSync(join(folder, name))) continue;
    let free = name;
    for (let n = 2; taken.has(free); n += 1) free = `${name}-${n}`;
    taken.add(free);
    names[name] = free;
  }
  const main = record.administrations.find(({ below }) => below === "");
  const directory = main && join(folder, main.name);
  const plan = { ...(await planBranch(repository, directory, main, branch)), path, names };
  await writePlan(trashPath, plan);
  return plan;
}

function mainAdministration({ common, record, plan }: Move): string | undefined {
  const name = record.administrations.find(({ below }) => below === "")?.name;
  const given = name && plan.names[name];
  return given ? join(common, "worktrees", given) : undefined;
}

/** Moves the administrative directories back, and links each to its files. */
async function register(move: Move): Promise<string[]> {
  const { common, trashPath, owner, record, plan } = move;
  const notes: string[] = [];
  if (mainAdministration(move) === undefined) notes.push(NOT_A_WORKTREE);
  await mkdir(join(common, "worktrees"), { recursive: true });
  for (const { name, below } of record.administrations) {
    const given = plan.names[name];
    if (given === undefined) continue;
    const files = join(plan.path, below);
    const trashed = join(trashedAdministrations(common, trashPath), name);
    const directory = join(common, "worktrees", given);
    if (existsSync(trashed)) await prepare(trashed, files, owner);
    await moveOnce(trashed, directory);
    await requireOwner(directory, owner, files);
    if (!(await pointTo(directory, files))) notes.push(ownRepositoryNote(files));
    await repairSubmodules({
      directory,
      before: join(common, "worktrees", name),
      files,
      filesBefore: join(record.path, below),
    });
  }
  return notes;
}

const NOT_A_WORKTREE =
  "git's own data about this worktree was gone when it was archived: its files are back, but on no branch.";
const ownRepositoryNote = (files: string) =>
  `${files} has become a repository of its own; it was left like that and is on no branch.`;

async function prepare(administration: string, files: string, owner: string): Promise<void> {
  await writeRecord(join(administration, RECORD), { owner });
  await writeFile(join(administration, "gitdir"), `${files}/.git\n`);
  // The processes that held these locks are gone. Left in place, they would block git for ever.
  await setLocksAside(await locksIn(administration));
}

/** False if there is a repository where the pointer to one should be. */
async function pointTo(administration: string, files: string): Promise<boolean> {
  const pointer = join(files, ".git");
  if (existsSync(pointer) && (await lstat(pointer)).isDirectory()) return false;
  await mkdir(files, { recursive: true });
  await writeFile(pointer, `gitdir: ${administration}\n`);
  return true;
}
