import { gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";
import { isPartial, SNAPSHOTS } from "./snapshot.ts";

export interface SnapshotRef {
  ref: string;
  commit: string;
  takenAt: string;
  taskId: string;
  /** The last part of its reference. */
  name: string;
  /** Goes up with every snapshot of a task. */
  number: number;
  isPartial: boolean;
}

/** Excludes what branches, tags and remotes have anyway. */
const REST = ["--not", "--branches", "--tags", "--remotes"];

/** Every snapshot in a repository, the newest of each task first. */
export async function listSnapshots(repository: string): Promise<SnapshotRef[]> {
  const format = "--format=%(refname) %(objectname) %(committerdate:unix)";
  const listed = await git(repository, ["for-each-ref", format, SNAPSHOTS]);
  if (listed.code !== 0) throw gitFailure(`list the snapshots in ${repository}`, listed);
  const found: SnapshotRef[] = [];
  for (const line of listed.stdout.split("\n")) {
    const [ref = "", commit = "", at] = line.split(" ");
    const [taskId, name, ...more] = ref.slice(SNAPSHOTS.length).split("/");
    const number = Number(/^(\d+)(-|$)/.exec(name ?? "")?.[1]);
    if (!taskId || !name || more.length > 0 || !Number.isInteger(number) || !at) continue;
    const takenAt = new Date(Number(at) * 1_000).toISOString();
    found.push({ ref, commit, takenAt, taskId, name, number, isPartial: isPartial(ref) });
  }
  return found.sort((a, b) => b.number - a.number);
}

/** The size of what only snapshots have of it; null if git can't say. */
export async function bytesOf(repository: string, commit: string): Promise<number | null> {
  const { code, stdout } = await git(repository, ["rev-list", "--objects", "--disk-usage", commit, ...REST]);
  return code === 0 ? Number(stdout.trim()) : null;
}

/** Deletes it, unless the reference has changed. */
export async function deleteSnapshot(repository: string, { ref, commit }: SnapshotRef): Promise<void> {
  const deleted = await gitWithoutHooks(repository, ["update-ref", "--no-deref", "-d", ref, commit]);
  if (deleted.code !== 0) throw gitFailure(`delete ${ref}`, deleted);
}
