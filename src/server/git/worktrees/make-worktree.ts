// The steps that make a new worktree, whatever it is filled with.

import { existsSync } from "node:fs";
import { copyFile, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../../remove-tree.ts";
import { copyIfThere, errorCode } from "../disk/if-there.ts";
import { writeRecord } from "../disk/records.ts";
import { withLock } from "../lock.ts";
import { administrationOf, canonicalPlace, commonDirectory } from "../repository/administration.ts";
import { newBranch } from "../repository/branches.ts";
import { gitFailure } from "../run/failure.ts";
import { closeInertGit, type InertGit, openInertGit } from "../run/inert-git.ts";
import { readSettings, type Settings } from "../run/settings.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";
import { freeTrashPlace, moveToTrash, readTrash, TRASH_STEPS } from "../trash/trash.ts";
import {
  type CreatedWorktree,
  endsAt,
  finishedBefore,
  intend,
  intentFile,
  RECORD,
  type WantedWorktree,
} from "./record.ts";
import { REGISTER_STEPS, registerWorktree } from "./register.ts";

/** The process may die between any two of these. Called again with the same owner, it has the same result. */
export const CREATE_STEPS = [
  "intended",
  ...TRASH_STEPS.map((step) => `aside-${step}` as const), // only when something is in the way
  "set-aside",
  ...REGISTER_STEPS, // only for a new branch in an ordinary repository, whose files are checked out meanwhile
  "registered",
  "checked-out",
  "filled",
  "finished",
] as const;

export interface MakeWorktree extends WantedWorktree {
  /** The folder for whatever is in the way. */
  trash: string;
  fill(inert: InertGit, made: { common: string; path: string; baseCommit: string }): Promise<string[]>;
  /** What is left to do once files and administrative directory exist. */
  complete?(inert: InertGit, made: { common: string; path: string; directory: string }): Promise<void>;
  /** Called with cleaning up that nobody has to wait for. Without it, the call waits itself. */
  later?: ((tidying: Promise<void>) => void) | undefined;
  checkpoint?: ((step: string) => void) | undefined;
}

interface Registering {
  common: string;
  settings: Settings;
  /** Brings the files, for which a folder is enough. */
  fill(baseCommit: string): Promise<unknown>;
  /** Call it before another attempt. */
  startOver(): void;
}

interface Registered {
  /** The administrative directory. */
  directory: string;
  branch: string;
  baseCommit: string;
  isNewBranch: boolean;
  notes: string[];
}

const ATTEMPTS = 5;
const TAKEN = /already exists|cannot lock ref|already checked out|already used by worktree/;
export async function makeWorktree(input: MakeWorktree): Promise<CreatedWorktree> {
  const common = input.survey?.common ?? (await commonDirectory(input.repository));
  const path = await canonicalPlace(input.path);
  return withLock(path, () => make({ ...input, path }, common));
}

async function make(input: MakeWorktree, common: string): Promise<CreatedWorktree> {
  const { repository, path, owner, survey, checkpoint } = input;
  const finished = survey === undefined ? await finishedBefore(common, path, owner) : undefined;
  if (finished) return finished;
  const settings = survey?.settings ?? (await readSettings(repository));
  const open = () => openInertGit({ common, worktree: path, settings });
  let opening = open();
  let filling: Promise<string[]> | undefined;
  const fill = (baseCommit: string) => {
    filling = opening.then((inert) => input.fill(inert, { common, path, baseCommit }));
    filling.catch(ignore); // it is awaited later
    return filling;
  };
  const startOver = () => {
    if (filling !== undefined) opening = open(); // it has been used, and the files are gone again
    filling = undefined;
  };
  const [registering] = await Promise.allSettled([
    withLock(common, () => register(input, { common, settings, fill, startOver })),
    opening,
  ]);
  if (registering.status === "rejected") {
    await filling?.catch(ignore);
    await opening.then(closeInertGit).catch(ignore);
    if (!existsSync(path)) await rm(intentFile(path), { force: true }).catch(ignore); // nothing came of it
    throw registering.reason;
  }
  checkpoint?.("registered");
  const registered = registering.value;
  const { directory, branch, baseCommit, notes } = registered;
  try {
    const inert = await opening;
    if (filling === undefined) {
      const patterns = "info/sparse-checkout";
      await copyIfThere(join(directory, patterns), join(inert.directory, patterns));
    }
    notes.push(...(await (filling ?? fill(baseCommit))));
    await input.complete?.(inert, { common, path, directory });
    await moveAcross(inert.index, join(directory, "index"));
    const tidying = closeInertGit(inert).catch(ignore);
    checkpoint?.("filled");
    const created = { branch, baseCommit, notes };
    if (notes.length > 0) await writeRecord(intentFile(path), { ...created, owner });
    await moveAcross(intentFile(path), join(directory, RECORD));
    checkpoint?.("finished");
    if (input.later === undefined) await tidying;
    else input.later(tidying);
    return created;
  } catch (cause) {
    await opening.then(closeInertGit).catch(ignore);
    await takeBack(input, registered);
    throw cause;
  }
}

/** It never existed, or the next call removes it. */
function ignore() {}

/** Moves atomically, also from another disk. */
async function moveAcross(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (cause) {
    if (errorCode(cause) !== "EXDEV") throw cause;
    await copyFile(from, `${to}.new`);
    await rename(`${to}.new`, to);
    await rm(from);
  }
}

/** Removes what this call has made, in which nobody has worked yet. On a full disk it would only take up space. */
async function takeBack({ repository, path }: MakeWorktree, registered: Registered) {
  try {
    for (const made of [path, registered.directory]) await removeTree(made);
    const ref = `refs/heads/${registered.branch}`;
    if (registered.isNewBranch)
      await gitWithoutHooks(repository, ["update-ref", "-d", ref, registered.baseCommit]);
    await rm(intentFile(path), { force: true });
  } catch {
    // People have to know what failed first. The next start moves the rest to the trash.
  }
}

/** Clears what is in the place or registered for it: removes an empty folder, moves anything else to the trash. */
async function setAside(input: MakeWorktree, isRegistered: boolean): Promise<string[]> {
  const { repository, path, owner, survey, trash, checkpoint } = input;
  const hasBegun = async () => (await readTrash(await freeTrashPlace(trash, owner))) !== undefined;
  const isHalfMoved = survey === undefined && (await hasBegun());
  if (!isRegistered && !isHalfMoved && (await isFreeOrEmpty(path))) return [];
  const trashPath = await freeTrashPlace(trash, owner);
  await moveToTrash({ repository, path, trashPath, checkpoint: (step) => checkpoint?.(`aside-${step}`) });
  return [`Something was in the way at ${path}, and is now in ${trashPath}.`];
}

async function isFreeOrEmpty(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (cause) {
    return errorCode(cause) === "ENOENT";
  }
}

/** Makes the branch and the administrative directory. The files come meanwhile or afterwards. */
async function register(input: MakeWorktree, registering: Registering): Promise<Registered> {
  const { common, settings, fill, startOver } = registering;
  const { repository, path, checkpoint } = input;
  const isRegistered = async () => (await administrationOf(common, path)) !== undefined;
  const [intent, isInTheWay] = await Promise.all([intend(input), isRegistered()]);
  checkpoint?.("intended");
  const { baseCommit } = intent;
  const notes: string[] = [];
  let { branch, isThere = false } = intent;
  for (let attempt = 1; ; attempt += 1) {
    notes.push(...(await setAside(input, attempt === 1 ? isInTheWay : await isRegistered())));
    checkpoint?.("set-aside");
    const place = { repository, common, path, settings, checkpoint, fill: () => fill(baseCommit) };
    const made = await registerWorktree({ ...place, branch, isThere, commit: baseCommit });
    if (typeof made === "string")
      return { directory: made, branch, baseCommit, isNewBranch: !isThere, notes };
    if (attempt === ATTEMPTS || !TAKEN.test(made.stderr)) {
      throw gitFailure(`make a worktree of ${repository}`, made);
    }
    startOver();
    // The git process of an earlier attempt that was killed may have finished only now.
    isThere = intent.isSecondTry === true && !isThere && (await endsAt(repository, branch, baseCommit));
    if (!isThere) branch = await newBranch(repository, intent.branch);
    await writeRecord(intentFile(path), { ...intent, branch });
  }
}
