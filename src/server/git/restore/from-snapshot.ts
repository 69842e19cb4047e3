import { rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DomainError } from "../../errors.ts";
import { fieldsOf, fileIn } from "../disk/file-names.ts";
import { errorCode, lstatIfThere } from "../disk/if-there.ts";
import { filteredFiles } from "../filters/filters.ts";
import { fillFromStore } from "../filters/lfs.ts";
import { branchAt, newBranch } from "../repository/branches.ts";
import { git } from "../run/git.ts";
import { AS_STORED, type InertGit } from "../run/inert-git.ts";
import { readSnapshot } from "../snapshots/snapshot.ts";
import { makeWorktree } from "../worktrees/make-worktree.ts";
import type { RestoredWorktree, RestoreWorktree } from "./request.ts";

const PURGED =
  "The trash was emptied: ignored files, empty folders and file modes other than the executable bit are gone.";

/** What the snapshot holds: commits, staged, changed and new files. */
export async function restoreFromSnapshot(
  input: RestoreWorktree & { snapshotRef: string; owner: string },
): Promise<RestoredWorktree> {
  const { repository, trashPath, snapshotRef, path, owner, checkpoint } = input;
  const facts = await readSnapshot(repository, snapshotRef);
  if (facts === undefined)
    throw new DomainError("not_found", `There is no snapshot ${snapshotRef} in ${repository}.`);
  const wanted = facts.branch ?? input.branch;
  const made = await makeWorktree({
    repository,
    path,
    owner,
    trash: dirname(trashPath),
    checkpoint,
    async choose() {
      if (facts.commit !== null) return branchAt(repository, wanted, facts.commit);
      // There was no commit yet: the snapshot itself becomes the first.
      return {
        branch: await newBranch(repository, wanted),
        baseCommit: await commitOf(repository, snapshotRef),
      };
    },
    async fill(inert, { common }) {
      await inert.must(`check out ${path}`, ["read-tree", "--reset", "-u", facts.staged]);
      const lfs = (await filteredFiles(inert, common)).get("lfs") ?? [];
      await fillFromStore({ common, path, files: lfs });
      checkpoint?.("checked-out");
      await layOver(inert, facts.staged, await commitOf(repository, snapshotRef));
      return [PURGED];
    },
  });
  return { branch: made.branch, path, notes: made.notes };
}

async function commitOf(repository: string, ref: string): Promise<string> {
  return (await git(repository, ["rev-parse", "--verify", `${ref}^{commit}`])).stdout.trim();
}

/** Of a submodule there is an empty folder; one that is not empty is none any more. */
async function removeIfThere(file: Buffer): Promise<void> {
  const isFolder = (await lstatIfThere(file))?.isDirectory();
  if (!isFolder) return rm(file, { force: true });
  await rmdir(file).catch((cause) => {
    if (errorCode(cause) !== "ENOTEMPTY") throw cause;
  });
}

/** Files that were not as they were staged, byte for byte as they were on disk. */
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
  await writeFile(join(inert.directory, "info/attributes"), AS_STORED);
  const env = { GIT_INDEX_FILE: join(inert.directory, "overlay") };
  await inert.must("read the snapshot", ["read-tree", snapshot], { env });
  const stdin = Buffer.from(present.map((name) => `${name}\0`).join(""), "latin1");
  await inert.must("write the snapshot's files", ["checkout-index", "--force", "-z", "--stdin"], {
    env,
    stdin,
  });
}
