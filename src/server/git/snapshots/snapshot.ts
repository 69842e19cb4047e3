// A worktree as a commit at refs/banto/<task>/<n>: its files as its tree, raw as they are on disk; its HEAD as the first
// parent; and, as the second, what was staged, which in turn holds every commit that only this worktree knew of, or one
// inside it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../errors.ts";
import { isFileError } from "../disk/if-there.ts";
import { withLock } from "../lock.ts";
import {
  type Administration,
  administrationsWithin,
  canonicalPlace,
  commonDirectory,
} from "../repository/administration.ts";
import { readRefs } from "../repository/base-commit.ts";
import { type Head, readHead } from "../repository/head.ts";
import { explaining, gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";
import { type InertGit, withInertGit } from "../run/inert-git.ts";
import { isPartialClone, readSettings } from "../run/settings.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";
import { addChanges } from "./add-changes.ts";
import { copyIndex, openCopyOfIndex } from "./copy-index.ts";
import { unreachableCommits } from "./unreachable-commits.ts";

export const SNAPSHOT_STEPS = ["written", "referenced"] as const;

export interface SnapshotWorktree {
  repository: string;
  path: string;
  /** Once it is there it is never written again: asked a second time, the first snapshot is the answer. */
  ref: string;
  checkpoint?: (step: (typeof SNAPSHOT_STEPS)[number]) => void;
}

export interface Snapshot {
  /** null when there is no snapshot; the notes say why. Another one than asked for where files are missing in it. */
  ref: string | null;
  commit: string | null;
  /** What is not in it, or not as it was. */
  notes: string[];
}

/** Of a snapshot that does not have all files: the trash has the only copy of the others. */
const PARTIAL = "-partial";
export const isPartial = (ref: string) => ref.endsWith(PARTIAL);

export async function snapshotWorktree(input: SnapshotWorktree): Promise<Snapshot> {
  try {
    return await explaining(`make a snapshot of ${input.path}`, async () => {
      const path = await canonicalPlace(input.path);
      return await withLock(path, () => snapshot({ ...input, path }));
    });
  } catch (cause) {
    // The trash keeps everything either way.
    if (!(cause instanceof DomainError) && !isFileError(cause)) throw cause;
    return { ref: null, commit: null, notes: [`There is no snapshot: ${cause.message}`] };
  }
}

async function snapshot(input: SnapshotWorktree): Promise<Snapshot> {
  const { repository, path, checkpoint } = input;
  const [before] = await readRefs(repository, [input.ref, input.ref + PARTIAL]);
  if (before !== undefined) return { ref: before[0], commit: before[1], notes: [] };
  if (!existsSync(path))
    return { ref: null, commit: null, notes: [`There is no snapshot: ${path} is gone.`] };
  const [common, settings] = await Promise.all([commonDirectory(repository), readSettings(repository)]);
  const administrations = await administrationsWithin(common, path);
  const { commit, notes, isWhole } = await withInertGit({ common, worktree: path, settings }, (inert) =>
    writeSnapshot(inert, common, administrations),
  );
  checkpoint?.("written");
  const ref = isWhole ? input.ref : input.ref + PARTIAL;
  // Through the repository's own configuration, which says how references are stored; of it, nothing runs here.
  const updated = await gitWithoutHooks(repository, ["update-ref", "--no-deref", ref, commit, ""]);
  if (updated.code !== 0) throw gitFailure(`write ${ref}`, updated);
  checkpoint?.("referenced");
  return { ref, commit, notes };
}

async function writeSnapshot(inert: InertGit, common: string, administrations: Administration[]) {
  const directory = administrations.find(({ worktree }) => worktree === inert.worktree)?.directory;
  const head: Head = directory === undefined ? { branch: null, commit: null } : await readHead(directory);
  const notes = await openCopyOfIndex(inert, directory, head.commit);
  const writeTree = writeTreeOf(inert);
  const staged = await inert.run(writeTree); // fails in the middle of a merge: then the files stand for it
  const added = await addChanges(inert, common);
  const tree = (await inert.must("write the files down", writeTree)).trim();
  const directories = administrations.map((one) => one.directory);
  const kept = await unreachableCommits(inert, directories, head.commit);
  for (const inner of directories) if (inner !== directory) kept.push(...(await stagedIn(inert, inner)));
  const parents = head.commit === null ? [] : [head.commit];
  const stagedTree = staged.code === 0 ? staged.stdout.trim() : tree;
  const stagedCommit = await commitTree(inert, stagedTree, [...parents, ...kept], "banto: what was staged\n");
  const message = snapshotMessage({ ...head, staged: stagedCommit });
  const commit = await commitTree(inert, tree, [...parents, stagedCommit], message);
  return { commit, notes: [...notes, ...added.notes], isWhole: added.isWhole };
}

const writeTreeOf = ({ settings }: InertGit) =>
  isPartialClone(settings) ? ["write-tree", "--missing-ok"] : ["write-tree"];

/** What is staged in a worktree inside this one, as a commit; in the middle of a merge its files stand for it. */
async function stagedIn(inert: InertGit, administration: string): Promise<string[]> {
  const env = { GIT_INDEX_FILE: join(inert.directory, "inner-index") };
  if (!(await copyIndex(administration, env.GIT_INDEX_FILE))) return [];
  const { code, stdout } = await inert.run(writeTreeOf(inert), { env });
  return code === 0 ? [await commitTree(inert, stdout.trim(), [], "banto: what was staged inside\n")] : [];
}

async function commitTree(
  inert: InertGit,
  tree: string,
  parents: string[],
  message: string,
): Promise<string> {
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  return (await inert.must("write the snapshot's commit", args, { stdin: message })).trim();
}

interface SnapshotFacts extends Head {
  /** The commit whose tree is what was staged. */
  staged: string;
}

const snapshotMessage = ({ branch, commit, staged }: SnapshotFacts) =>
  `banto: a worktree${branch === null ? "" : ` on ${branch}`}\n\n` +
  `Branch: ${branch ?? ""}\nHead: ${commit ?? ""}\nStaged: ${staged}\n`;

/** Every one of a task's that is there, by reference. */
export async function snapshotsOf(repository: string, taskId: string): Promise<string[]> {
  return [...(await readRefs(repository, [`refs/banto/${taskId}/`])).keys()];
}

/** undefined when the commit is not a snapshot of banto's. */
export async function readSnapshot(repository: string, ref: string): Promise<SnapshotFacts | undefined> {
  const { code, stdout } = await git(repository, ["cat-file", "commit", ref]);
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(stdout)?.[1] || null;
  const staged = field("Staged");
  if (code !== 0 || staged === null) return undefined;
  return { branch: field("Branch"), commit: field("Head"), staged };
}
