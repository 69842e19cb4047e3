import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileIn, readable } from "../disk/file-names.ts";
import { filteredFiles } from "../filters/filters.ts";
import { isContentOf, MAX_POINTER_BYTES, parsePointer } from "../filters/lfs.ts";
import { gitFailure } from "../run/failure.ts";
import type { InertGit } from "../run/inert-git.ts";
import { type ChangedFile, changedFiles, untrackedFiles } from "./changed-files.ts";
import { type FoundFile, inspectFile } from "./file-on-disk.ts";
import { writeBlobs } from "./write-blobs.ts";

const AT_ONCE = 256;

interface Added {
  /** Every file is in it that git was not told to ignore. */
  isWhole: boolean;
  notes: string[];
}

/** Brings the private index up to the files as they are on disk; says what it could not take. */
export async function addChanges(inert: InertGit, common: string): Promise<Added> {
  const changed = await changedFiles(inert);
  const asStored = await lfsFilesAsStored(inert, common, changed);
  const untracked = await untrackedFiles(inert);
  const candidates = [...changed.filter(({ name }) => !asStored.has(name)), ...untracked.files];
  const found: FoundFile[] = [];
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    const some = candidates.slice(at, at + AT_ONCE);
    found.push(...(await Promise.all(some.map((candidate) => inspectFile(inert.worktree, candidate)))));
  }
  const written = await writeBlobs(inert, found);
  const refused = await updateIndex(inert, written);
  const unreadable = found.filter(({ kind }) => kind === "unreadable").concat(written.failed);
  const missing = [
    ...[...unreadable.map(({ name }) => readable(name)), ...untracked.closed].map(unreadableNote),
    ...refused.map(refusedNote),
  ];
  const submodules = existsSync(join(inert.worktree, ".gitmodules")) ? [SUBMODULES] : [];
  const notes = [...submodules, ...untracked.repositories.map(nestedNote), ...missing];
  return { isWhole: missing.length === 0, notes };
}

const SUBMODULES =
  "Of submodules the snapshot only has the number of their commit, not their files or commits.";
const unreadableNote = (name: string) => `${name} could not be read and is not in the snapshot.`;
const refusedNote = (name: string) => `${name} has a name that git refuses and is not in the snapshot.`;
const nestedNote = (name: string) =>
  `${readable(name)} is a repository of its own: the snapshot has its files, not its history.`;

/** Answers the names that git did not take: those that another system could take for .git. */
async function updateIndex(inert: InertGit, { gone, entries }: Awaited<ReturnType<typeof writeBlobs>>) {
  const zero = "0".repeat(inert.settings.get("extensions.objectformat") === "sha256" ? 64 : 40);
  const replaced = [...gone, ...entries.map(({ name }) => name)]; // all stages of it, after a conflict
  const lines = [
    ...replaced.map((name) => `0 ${zero}\t${name}\0`),
    ...entries.map(({ mode, oid, name }) => `${mode} ${oid}\t${name}\0`),
  ];
  if (lines.length === 0) return [];
  const stdin = Buffer.from(lines.join(""), "latin1");
  const args = ["update-index", "--add", "--replace", "-z", "--index-info"];
  const updated = await inert.run(args, { stdin });
  if (updated.code !== 0) throw gitFailure("note the files", updated);
  const ignored = [...updated.stderr.matchAll(/^Ignoring path (.*)$/gm)].map(([, name = ""]) => name);
  return [...new Set(ignored)];
}

/** A file that holds what its pointer stands for is unchanged, though without the filter its bytes differ. */
async function lfsFilesAsStored(
  inert: InertGit,
  common: string,
  changed: ChangedFile[],
): Promise<Set<string>> {
  const unchanged = new Set<string>();
  if (changed.length === 0) return unchanged;
  const filtered = new Set((await filteredFiles(inert, common)).get("lfs"));
  const modified = changed.filter(({ name, status }) => filtered.has(name) && status === "M");
  const blobs = await smallBlobs(
    inert,
    modified.map(({ oid }) => oid),
  );
  for (const { name, oid } of modified) {
    const pointer = parsePointer(blobs.get(oid) ?? "");
    if (pointer && (await isContentOf(pointer, fileIn(inert.worktree, name)))) unchanged.add(name);
  }
  return unchanged;
}

/** Those that can be pointers, however many there are, by two processes. */
async function smallBlobs(inert: InertGit, oids: string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (oids.length === 0) return found;
  const ask = (how: string, names: string[]) =>
    inert.must("read LFS pointers", ["cat-file", `--${how}=%(objectname) %(objectsize)`], {
      stdin: names.map((name) => `${name}\n`).join(""),
    });
  const sizes = (await ask("batch-check", oids)).split("\n").map((line) => line.split(" "));
  const small = sizes.filter(([, size]) => Number(size) < MAX_POINTER_BYTES).map(([oid = ""]) => oid);
  const answer = await ask("batch", small);
  for (let at = 0; at < answer.length; ) {
    const start = answer.indexOf("\n", at) + 1;
    const [oid = "", size] = answer.slice(at, start).split(" ");
    found.set(oid, answer.slice(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return found;
}
