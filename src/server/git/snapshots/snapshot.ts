// A worktree as a commit at refs/banto/<task>/<n>. Its tree has the files, exactly as they are on disk. Its first
// parent is HEAD, the second one is what was staged, and behind that are commits that only this worktree or one inside
// it knew, and the repositories inside it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../errors.ts";
import { isFileError } from "../disk/if-there.ts";
import { requireFolder } from "../disk/require-folder.ts";
import { withLock } from "../lock.ts";
import { administrationsWithin, canonicalPlace, commonDirectory } from "../repository/administration.ts";
import { readRefs } from "../repository/base-commit.ts";
import { explaining, gitFailure } from "../run/failure.ts";
import { withInertGit } from "../run/inert-git.ts";
import { readSettings } from "../run/settings.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";
import { writeSnapshot } from "./write-snapshot.ts";

export const SNAPSHOT_STEPS = ["written", "referenced"] as const;

export interface SnapshotWorktree {
  repository: string;
  path: string;
  /** Never overwritten: if it exists, the result is the existing snapshot. */
  ref: string;
  checkpoint?: (step: (typeof SNAPSHOT_STEPS)[number]) => void;
}

export interface Snapshot {
  /** null if there is no snapshot; the notes say why. Differs from the requested one if files are missing. */
  ref: string | null;
  commit: string | null;
  /** What is missing or different. */
  notes: string[];
}

/** Marks a snapshot that doesn't have all files. The trash has the only copy of the others. */
const PARTIAL = "-partial";
export const SNAPSHOTS = "refs/banto/";
export const isPartial = (ref: string) => ref.endsWith(PARTIAL);

export async function snapshotWorktree(input: SnapshotWorktree): Promise<Snapshot> {
  await requireFolder(input.path);
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
  const kept = [...(await readRefs(repository, [SNAPSHOTS])).values()];
  const { commit, notes, isWhole } = await withInertGit({ common, worktree: path, settings }, (inert) =>
    writeSnapshot(inert, { common, administrations, store: join(common, "objects"), kept }),
  );
  checkpoint?.("written");
  const ref = isWhole ? input.ref : input.ref + PARTIAL;
  // With the repository's own configuration, which says how references are stored. Nothing it names runs here.
  const updated = await gitWithoutHooks(repository, ["update-ref", "--no-deref", ref, commit, ""]);
  if (updated.code !== 0) throw gitFailure(`write ${ref}`, updated);
  checkpoint?.("referenced");
  return { ref, commit, notes };
}

/** All existing snapshots, of one task or of all, by reference. */
export async function snapshotsOf(repository: string, taskId?: string): Promise<string[]> {
  return [
    ...(await readRefs(repository, [taskId === undefined ? SNAPSHOTS : `${SNAPSHOTS}${taskId}/`])).keys(),
  ];
}
