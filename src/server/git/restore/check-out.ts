// Checks out a snapshot's files as they were on disk: first as they were staged, for the index, then those that
// differed.

import { rename, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOf, fileIn } from "../disk/file-names.ts";
import { copyIfThere, errorCode, lstatIfThere } from "../disk/if-there.ts";
import { filteredFiles, forgetFileTimes } from "../filters/filters.ts";
import { fillFromStore } from "../filters/lfs.ts";
import { AS_STORED, type InertGit } from "../run/inert-git.ts";
import type { SnapshotFacts } from "../snapshots/facts.ts";

interface CheckOut {
  common: string;
  path: string;
  facts: SnapshotFacts;
  /** The snapshot's commit. */
  snapshot: string;
  checkpoint?: ((step: string) => void) | undefined;
}

export async function checkOut(inert: InertGit, given: CheckOut): Promise<void> {
  const { common, path, facts, snapshot, checkpoint } = given;
  const readTree = () => inert.must(`check out ${path}`, ["read-tree", "--reset", "-u", facts.staged]);
  // Files that are stored as they were on disk must not be converted again.
  if (facts.isAsOnDisk) await asStored(inert, readTree);
  else await readTree();
  const lfs = (await filteredFiles(inert, common)).get("lfs") ?? [];
  await fillFromStore({ common, path, files: lfs });
  checkpoint?.("checked-out");
  await asStored(inert, () => layOver(inert, facts.staged, snapshot));
}

/** Turns off all conversions while `act` runs, so that blobs and files have the same bytes. */
export async function asStored<T>(inert: InertGit, act: () => Promise<T>): Promise<T> {
  const attributes = join(inert.directory, "info/attributes");
  const hadAny = await copyIfThere(attributes, `${attributes}.own`);
  await writeFile(attributes, AS_STORED);
  try {
    return await act();
  } finally {
    if (hadAny) await rename(`${attributes}.own`, attributes);
    else await rm(attributes);
  }
}

/** A submodule is checked out as an empty folder. If it isn't empty, it is something else now and stays. */
async function removeIfThere(file: Buffer): Promise<void> {
  const isFolder = (await lstatIfThere(file))?.isDirectory();
  if (!isFolder) return rm(file, { force: true });
  await rmdir(file).catch((cause) => {
    if (errorCode(cause) !== "ENOTEMPTY") throw cause;
  });
}

/** Writes the files that differed from what was staged, byte for byte as they were on disk. */
async function layOver(inert: InertGit, staged: string, snapshot: string): Promise<void> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--name-status", staged, snapshot];
  const fields = fieldsOf(await inert.must("compare the snapshot", args));
  const present: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [status, name = ""] = fields.slice(at, at + 2);
    if (status === "D") await removeIfThere(fileIn(inert.worktree, name));
    else present.push(name);
  }
  if (present.length === 0) return;
  const env = { GIT_INDEX_FILE: join(inert.directory, "overlay") };
  await inert.must("read the snapshot", ["read-tree", snapshot], { env });
  const stdin = Buffer.from(present.map((name) => `${name}\0`).join(""), "latin1");
  await inert.must("write the snapshot's files", ["checkout-index", "--force", "-z", "--stdin"], {
    env,
    stdin,
  });
  // Otherwise git would call a file changed just because its stored form has another size.
  await forgetFileTimes(inert, present);
}
