// What a snapshot says about itself, in its commit message.

import type { Head } from "../repository/head.ts";
import { git } from "../run/git.ts";

export interface SnapshotFacts extends Head {
  /** The commit whose tree is what was staged. */
  staged: string;
  /** Commits that hold the repositories inside; see InnerFacts. */
  inside: string[];
  /** Every file is stored as it was on disk. Older versions stored unchanged files in git's own form. */
  isAsOnDisk: boolean;
}

/** For a commit with a repository inside a worktree: its history as parents, its own files as the tree. */
export interface InnerFacts {
  /** Where its files are, relative to the worktree; null if they had been deleted. */
  below: string | null;
  /** Where its own data is in the folder `modules`; null if that is `.git` among its files. */
  module: string | null;
  /** The snapshot of its files. */
  snapshot: string | null;
}

export const snapshotMessage = ({ branch, commit, staged, inside }: Omit<SnapshotFacts, "isAsOnDisk">) =>
  `banto: a worktree${branch === null ? "" : ` on ${branch}`}\n\n` +
  `Branch: ${branch ?? ""}\nHead: ${commit ?? ""}\nStaged: ${staged}\n` +
  `Inside: ${inside.join(" ")}\nFiles: as on disk\n`;

export const innerMessage = ({ below, module, snapshot }: InnerFacts) =>
  `banto: a repository inside\n\n` +
  `Below: ${written(below)}\nModule: ${written(module)}\nSnapshot: ${snapshot ?? ""}\n`;

/** On one line, whatever is in it. */
const written = (name: string | null) => (name === null ? "" : JSON.stringify(name));
const read = (text: string | null): string | null => (text === null ? null : String(JSON.parse(text)));

/** undefined if the commit is not one of banto's snapshots. */
export async function readSnapshot(repository: string, ref: string): Promise<SnapshotFacts | undefined> {
  const { code, stdout } = await git(repository, ["cat-file", "commit", ref]);
  return code === 0 ? snapshotFacts(stdout) : undefined;
}

/** The same from the commit's text. */
export function snapshotFacts(text: string): SnapshotFacts | undefined {
  const field = fieldsOfMessage(text);
  const staged = field("Staged");
  if (staged === null) return undefined;
  const inside = field("Inside")?.split(" ") ?? [];
  const isAsOnDisk = field("Files") === "as on disk";
  return { branch: field("Branch"), commit: field("Head"), staged, inside, isAsOnDisk };
}

/** Where the repositories are whose history is in a snapshot, relative to the worktree. */
export async function placesInside(repository: string, { inside }: SnapshotFacts): Promise<string[]> {
  const places = inside.map(async (commit) => {
    const { stdout } = await git(repository, ["cat-file", "commit", commit]);
    const { below, snapshot } = innerFacts(stdout);
    if (below === null) return [];
    const inner = snapshot === null ? undefined : await readSnapshot(repository, snapshot);
    const deeper = inner === undefined ? [] : await placesInside(repository, inner);
    return [below, ...deeper.map((place) => `${below}/${place}`)];
  });
  return (await Promise.all(places)).flat();
}

/** From the text of a commit that holds a repository inside. */
export function innerFacts(text: string): InnerFacts {
  const field = fieldsOfMessage(text);
  return { below: read(field("Below")), module: read(field("Module")), snapshot: field("Snapshot") };
}

const fieldsOfMessage = (text: string) => (name: string) =>
  new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1] || null;
