import { fileIn, readable } from "../disk/file-names.ts";
import { filteredFiles } from "../filters/filters.ts";
import { isContentOf, MAX_POINTER_BYTES, parsePointer } from "../filters/lfs.ts";
import { gitFailure } from "../run/failure.ts";
import type { InertGit } from "../run/inert-git.ts";
import { type ChangedFile, changedFiles, untrackedFiles } from "./changed-files.ts";
import { convertedFiles } from "./converted-files.ts";
import { type FoundFile, inspectFile } from "./file-on-disk.ts";
import { writeBlobs } from "./write-blobs.ts";

const AT_ONCE = 256;

interface Added {
  /** It has every file that git doesn't ignore, except those of submodules. */
  isWhole: boolean;
  notes: string[];
  /** Names of repositories in folders of which the index has nothing. */
  repositories: string[];
}

/** Updates the private index to the files on disk. The notes say what is missing. */
export async function addChanges(inert: InertGit, common: string): Promise<Added> {
  const changed = await changedFiles(inert);
  const known = new Set(changed.map(({ name }) => name));
  changed.push(...(await convertedFiles(inert, common)).filter(({ name }) => !known.has(name)));
  const asStored = await lfsFilesAsStored(inert, common, changed);
  const untracked = await untrackedFiles(inert);
  const candidates = [...changed.filter(({ name }) => !asStored.has(name)), ...untracked.files];
  const missing = [...untracked.closed.map(unreadableNote), ...(await addFiles(inert, candidates))];
  return { isWhole: missing.length === 0, notes: missing, repositories: untracked.repositories };
}

/** Returns notes about what could not be added. */
export async function addFiles(inert: InertGit, files: ChangedFile[]): Promise<string[]> {
  const found: FoundFile[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    found.push(...(await Promise.all(some.map((file) => inspectFile(inert.worktree, file)))));
  }
  const written = await writeBlobs(inert, found);
  const refused = await updateIndex(inert, written);
  const unreadable = found.filter(({ kind }) => kind === "unreadable").concat(written.failed);
  return [...unreadable.map(({ name }) => unreadableNote(readable(name))), ...refused.map(refusedNote)];
}

const unreadableNote = (name: string) => `${name} could not be read and is not in the snapshot.`;
const refusedNote = (name: string) => `${name} has a name that git refuses and is not in the snapshot.`;

/** Returns the names that git refused, because another system could take them for .git. */
async function updateIndex(inert: InertGit, { gone, entries }: Awaited<ReturnType<typeof writeBlobs>>) {
  const zero = "0".repeat(inert.settings.get("extensions.objectformat") === "sha256" ? 64 : 40);
  const replaced = [...gone, ...entries.map(({ name }) => name)]; // all stages, after a conflict
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

/** A file with the content that its pointer stands for is unchanged, though without the filter its bytes differ. */
export async function lfsFilesAsStored(
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

/** The blobs that are small enough for pointers, with two processes however many there are. */
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
