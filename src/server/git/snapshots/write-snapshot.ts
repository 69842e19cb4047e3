import { join } from "node:path";
import { type Head, readHead } from "../repository/head.ts";
import type { InertGit } from "../run/inert-git.ts";
import { isPartialClone } from "../run/settings.ts";
import { addChanges } from "./add-changes.ts";
import { commitTree } from "./commit-tree.ts";
import { copyIndex, openCopyOfIndex } from "./copy-index.ts";
import { snapshotMessage } from "./facts.ts";
import { repositoriesInside } from "./find-inside.ts";
import { keepInside } from "./keep-inside.ts";
import type { SnapshotPlace, Written } from "./place.ts";
import { unreachableCommits } from "./unreachable-commits.ts";

export async function writeSnapshot(inert: InertGit, place: SnapshotPlace): Promise<Written> {
  const { common, administrations } = place;
  const directory = administrations.find(({ worktree }) => worktree === inert.worktree)?.directory;
  const head: Head = directory === undefined ? { branch: null, commit: null } : await readHead(directory);
  const notes = await openCopyOfIndex(inert, directory, head.commit);
  const writeTree = writeTreeOf(inert);
  const staged = await inert.run(writeTree); // fails in the middle of a merge; then the files are used
  const added = await addChanges(inert, common);
  const tree = (await inert.must("write the files down", writeTree)).trim();
  const found = await repositoriesInside(inert, directory, added.repositories);
  // Passes itself as an argument, because these contain snapshots too.
  const inner = await keepInside(inert, { ...place, directory, writeSnapshot }, found);
  const directories = administrations.map((one) => one.directory);
  const kept = [...inner.commits, ...(await unreachableCommits(inert, directories, head.commit))];
  for (const other of directories) if (other !== directory) kept.push(...(await stagedIn(inert, other)));
  const parents = head.commit === null ? [] : [head.commit];
  const stagedTree = staged.code === 0 ? staged.stdout.trim() : tree;
  const stagedCommit = await commitTree(inert, stagedTree, [...parents, ...kept], "banto: what was staged\n");
  const message = snapshotMessage({ ...head, staged: stagedCommit, inside: inner.commits });
  const commit = await commitTree(inert, tree, [...parents, stagedCommit], message);
  const isWhole = added.isWhole && inner.isWhole;
  return { commit, notes: [...notes, ...added.notes, ...inner.notes], isWhole };
}

const writeTreeOf = ({ settings }: InertGit) =>
  isPartialClone(settings) ? ["write-tree", "--missing-ok"] : ["write-tree"];

/** What is staged in a worktree inside this one, as a commit. Nothing in the middle of a merge. */
async function stagedIn(inert: InertGit, administration: string): Promise<string[]> {
  const env = { GIT_INDEX_FILE: join(inert.directory, "inner-index") };
  if (!(await copyIndex(administration, env.GIT_INDEX_FILE))) return [];
  const { code, stdout } = await inert.run(writeTreeOf(inert), { env });
  return code === 0 ? [await commitTree(inert, stdout.trim(), [], "banto: what was staged inside\n")] : [];
}
