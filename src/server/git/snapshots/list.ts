import { gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";
import { type InnerFacts, innerFacts, readSnapshot, type SnapshotFacts, snapshotFacts } from "./facts.ts";
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

/** Whether only this snapshot has commits that somebody made, here or in a repository inside. */
export async function holdsOnlyCommits(repository: string, ref: string, others: string[]): Promise<boolean> {
  const facts = await readSnapshot(repository, ref);
  if (facts === undefined) return true; // it isn't one of banto's
  const heads = facts.commit === null ? [] : [facts.commit];
  for (const commit of facts.inside) heads.push(...(await headsInside(repository, commit)));
  const args = ["rev-list", "--max-count=1", ...heads, ...REST, ...others];
  const { code, stdout } = heads.length === 0 ? { code: 0, stdout: "" } : await git(repository, args);
  return code !== 0 || stdout !== "";
}

async function headsInside(repository: string, commit: string): Promise<string[]> {
  const text = async (name: string) => (await git(repository, ["cat-file", "commit", name])).stdout;
  const own = await text(commit);
  const { snapshot }: InnerFacts = innerFacts(own);
  // Its files had been deleted, so every commit counts.
  if (snapshot === null) return [...own.matchAll(/^parent (\w+)$/gm)].map(([, name = ""]) => name);
  const facts: SnapshotFacts | undefined = snapshotFacts(await text(snapshot));
  const deeper = await Promise.all((facts?.inside ?? []).map((one) => headsInside(repository, one)));
  return [...(facts?.commit ? [facts.commit] : []), ...deeper.flat()];
}

/** Deletes it, unless the reference has changed. */
export async function deleteSnapshot(repository: string, { ref, commit }: SnapshotRef): Promise<void> {
  const deleted = await gitWithoutHooks(repository, ["update-ref", "--no-deref", "-d", ref, commit]);
  if (deleted.code !== 0) throw gitFailure(`delete ${ref}`, deleted);
}
