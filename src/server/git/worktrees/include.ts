// Copies ignored files such as .env into a new worktree, as listed in .worktreeinclude or the project's settings.

import {
  access,
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  readlink,
  symlink,
  writeFile,
} from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { fieldsOf, fileIn, readable } from "../disk/file-names.ts";
import { errorCode, lstatIfThere, readIfThere } from "../disk/if-there.ts";
import { gitFailure } from "../run/failure.ts";
import { git, WORKTREE_TIMEOUT_MS } from "../run/git.ts";

interface CopyIncluded {
  from: string;
  to: string;
  include: string | null;
  /** A folder for the file with the patterns. */
  scratch: string;
}

/** Returns notes for people: which files were not copied, and why. */
export async function copyIncluded({ from, to, include, scratch }: CopyIncluded): Promise<string[]> {
  const own =
    (await readIfThere(join(from, ".worktreeinclude"))) ?? (await readIfThere(join(to, ".worktreeinclude")));
  const patterns = [own, include].filter((text) => text !== null && text !== undefined);
  if (patterns.length === 0) return [];
  const patternFile = join(scratch, "include");
  await writeFile(patternFile, `${patterns.join("\n").replaceAll("\r\n", "\n")}\n`);
  const notes: string[] = [];
  for (const name of await ignoredFiles(from, patternFile)) {
    // It would end up outside the worktree.
    if (!(await makeFolders(to, name))) notes.push(folderNote(name));
    else if (!(await isReadable(fileIn(from, name)))) notes.push(unreadableNote(name));
    else await copy(from, to, name);
  }
  return notes;
}

const folderNote = (name: string) =>
  `${readable(name)} was not copied: its folder is a symbolic link in the worktree.`;
const unreadableNote = (name: string) => `${readable(name)} could not be read and was not copied.`;

async function ignoredFiles(checkout: string, patternFile: string): Promise<string[]> {
  const options = { encoding: "latin1", timeoutMs: WORKTREE_TIMEOUT_MS } as const;
  const named = await git(
    checkout,
    ["ls-files", "--others", "--ignored", "-z", `--exclude-from=${patternFile}`],
    options,
  );
  if (named.stderr.includes("must be run in a work tree")) return []; // a bare repository
  if (named.code !== 0) throw gitFailure(`list the files to copy from ${checkout}`, named);
  if (named.stdout === "") return [];
  const stdin = Buffer.from(named.stdout, "latin1");
  const ignored = await git(checkout, ["check-ignore", "-z", "--stdin"], { ...options, stdin });
  if (ignored.code > 1) throw gitFailure(`list the ignored files of ${checkout}`, ignored);
  return fieldsOf(ignored.stdout).filter((name) => !name.endsWith("/"));
}

/** False if one of the folders is something else in the worktree: a link could lead anywhere. */
async function makeFolders(to: string, name: string): Promise<boolean> {
  const parts = name.split("/").slice(0, -1);
  for (const at of parts.keys()) {
    const folder = fileIn(to, parts.slice(0, at + 1).join("/"));
    try {
      await mkdir(folder);
    } catch (cause) {
      if (errorCode(cause) !== "EEXIST") throw cause;
      if (!(await lstat(folder)).isDirectory()) return false;
    }
  }
  return true;
}

/** Links count as readable, and so do files that are gone. */
async function isReadable(file: Buffer): Promise<boolean> {
  try {
    if ((await lstatIfThere(file))?.isFile()) await access(file, constants.R_OK);
    return true;
  } catch (cause) {
    if (errorCode(cause) === "EACCES") return false;
    throw cause;
  }
}

/** Existing files stay. A link still leads to where it led from the checkout. */
async function copy(from: string, to: string, name: string): Promise<void> {
  const [source, target] = [fileIn(from, name), fileIn(to, name)];
  try {
    const info = await lstat(source);
    if (info.isSymbolicLink()) await symlink(await linkFor(from, name), target);
    else {
      await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      await chmod(target, info.mode & 0o7777);
    }
  } catch (cause) {
    const isFine = ["EEXIST", "ENOENT"].includes(errorCode(cause) ?? ""); // committed there, or gone from here
    if (!isFine) throw cause;
  }
}

async function linkFor(from: string, name: string): Promise<Buffer> {
  const target = (await readlink(fileIn(from, name), { encoding: "buffer" })).toString("latin1");
  const checkout = Buffer.from(from).toString("latin1");
  const absolute = resolve(checkout, name, "..", target);
  const leadsOut = relative(checkout, absolute).startsWith("..") && !isAbsolute(target);
  return Buffer.from(leadsOut ? absolute : target, "latin1");
}
