import { rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOf, fileIn } from "../disk/file-names.ts";
import { copyIfThere, listIfThere, lstatIfThere } from "../disk/if-there.ts";
import type { InertGit } from "../run/inert-git.ts";

/** Gives the private git a copy of the worktree's index, with nothing hidden. The index itself is only read. */
export async function openCopyOfIndex(
  inert: InertGit,
  administration: string | undefined,
  head: string | null,
): Promise<string[]> {
  const copy = join(inert.directory, "index");
  const isCopied = administration !== undefined && (await copyIndex(administration, copy));
  const listed = isCopied ? await inert.run(["ls-files", "-v", "-z"]) : undefined;
  if (listed?.code === 0) {
    await unhide(inert, fieldsOf(listed.stdout));
    return [];
  }
  await rm(copy, { force: true });
  // Nothing was ever staged or committed.
  if (administration !== undefined && !isCopied && head === null) return [];
  if (head !== null) await inert.must("read the last commit", ["read-tree", head]);
  return [`The worktree's index could not be read, so what was staged is taken from its last commit.`];
}

export async function copyIndex(administration: string, to: string): Promise<boolean> {
  const source = join(administration, "index");
  for (const name of await listIfThere(administration)) {
    if (name.startsWith("sharedindex.")) await copyIfThere(join(administration, name), join(to, "..", name));
  }
  if (!(await copyIfThere(source, to))) return false;
  // To notice files written in the same second as the index, git compares their time with the index's own.
  const second = Math.floor((await stat(source)).mtimeMs / 1_000);
  await utimes(to, second, second);
  return true;
}

/** Entries marked "assume unchanged" or "skip worktree" would not be compared with their files. */
async function unhide(inert: InertGit, listed: string[]): Promise<void> {
  const hidden = listed.filter((entry) => /^[a-zS] /.test(entry));
  const present: string[] = [];
  for (const entry of hidden) {
    const isSparse = /^[sS]/.test(entry);
    const name = entry.slice(2);
    if (!isSparse || (await lstatIfThere(fileIn(inert.worktree, name)))) present.push(name);
  }
  if (present.length === 0) return;
  const stdin = Buffer.from(present.map((name) => `${name}\0`).join(""), "latin1");
  for (const mark of ["--no-assume-unchanged", "--no-skip-worktree"]) {
    await inert.must("look at hidden files", ["update-index", mark, "-z", "--stdin"], { stdin });
  }
}
