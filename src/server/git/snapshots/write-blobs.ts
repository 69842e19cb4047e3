import { readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileIn } from "../disk/file-names.ts";
import { gitFailure } from "../run/failure.ts";
import type { InertGit } from "../run/inert-git.ts";
import type { FoundFile } from "./file-on-disk.ts";

interface Entry {
  name: string;
  mode: string;
  oid: string;
}

interface Written {
  entries: Entry[];
  gone: string[];
  failed: FoundFile[];
}

/** Stores the bytes of files and the targets of links, unfiltered, with a single git process. */
export async function writeBlobs(inert: InertGit, found: FoundFile[]): Promise<Written> {
  const written: Written = { entries: [], gone: [], failed: [] };
  const waiting: { file: FoundFile & { mode: string }; path: Buffer }[] = [];
  for (const [number, file] of found.entries()) {
    if (file.kind === "gone") written.gone.push(file.name);
    if (file.kind === "submodule") written.entries.push(file);
    if (file.kind !== "file" && file.kind !== "link") continue;
    waiting.push({ file, path: await readableBy(inert, file, number) });
  }
  // git stops at the first file that it can't read or that changes meanwhile. That one is left out.
  for (let at = 0; at < waiting.length; at += 1) {
    const rest = waiting.slice(at);
    const stdin = Buffer.concat(rest.flatMap(({ path }) => [path, Buffer.from("\n")]));
    const hashed = await inert.run(["hash-object", "-w", "--no-filters", "--stdin-paths"], { stdin });
    const oids = hashed.stdout.split("\n").filter((oid) => oid !== "");
    for (const [index, oid] of oids.entries()) {
      const file = rest[index]?.file;
      if (file) written.entries.push({ name: file.name, mode: file.mode, oid });
    }
    if (oids.length === rest.length && hashed.code === 0) break;
    at += oids.length;
    const culprit = waiting[at]?.file;
    if (culprit === undefined || !isAboutTheFile(hashed.stderr)) throw gitFailure("store the files", hashed);
    written.failed.push(culprit);
  }
  return written;
}

/** Whether the error is about the file, and not about the disk for objects. */
const isAboutTheFile = (stderr: string) =>
  /could not open|unable to (hash|open|stat)|short read|read error/.test(stderr) &&
  !/No space|Read-only|quota/.test(stderr);

/** A path that fits on one line. A link's target goes into a file, and a name with a line break behind a link. */
async function readableBy(inert: InertGit, { name, kind }: FoundFile, number: number): Promise<Buffer> {
  const file = fileIn(inert.worktree, name);
  const isOneLine = !name.includes("\n") && !name.endsWith("\r"); // git takes the CR for part of the line break
  if (kind === "file" && isOneLine) return Buffer.from(`./${name}`, "latin1");
  const path = join(inert.directory, `blob-${number}`);
  if (kind === "link") await writeFile(path, await readlink(file, { encoding: "buffer" }));
  else await symlink(file, path);
  return Buffer.from(path);
}
