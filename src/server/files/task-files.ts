// Files that people upload for a task's terminals. They are kept outside the worktree, where git does not see them, and
// are archived, restored and purged with it.
import { mkdirSync, rmSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { LIMITS } from "../../contract.ts";
import { DomainError } from "../errors.ts";
import { fileIn } from "../git/disk/file-names.ts";
import { errorCode } from "../git/disk/if-there.ts";
import { makeRemovable } from "../git/disk/removable.ts";
import { newId } from "../ids.ts";
import { safeFileName } from "./file-name.ts";
import { writeStream } from "./write-stream.ts";

export interface StoredFile {
  name: string;
  /** Absolute. */
  path: string;
  size: number;
}

interface TaskFilesParts {
  root: string;
  /** Throws unless the task has a worktree that is staying for now. */
  requireWorktree(taskId: string): unknown;
}

export type TaskFiles = ReturnType<typeof createTaskFiles>;

export function createTaskFiles({ root, requireWorktree }: TaskFilesParts) {
  /** Uploads in progress are kept apart, so that nobody mistakes half a file for a whole one. */
  const arriving = join(root, "arriving");
  rmSync(arriving, { recursive: true, force: true });
  mkdirSync(arriving, { recursive: true, mode: 0o700 });
  const folder = (taskId: string) => join(root, taskId);

  return {
    async store(taskId: string, given: string, body: AsyncIterable<Uint8Array>): Promise<StoredFile> {
      requireWorktree(taskId);
      if ((await entries(folder(taskId))).length >= LIMITS.filesPerTask) {
        throw new DomainError(
          "invalid",
          `This task already has ${LIMITS.filesPerTask} files. Copy more into its worktree yourself.`,
        );
      }
      const id = newId();
      const name = safeFileName(given);
      const half = join(arriving, id);
      try {
        await using file = await open(half, "wx", 0o600);
        const size = await writeStream(file, body, LIMITS.fileBytes);
        // The worktree may have been archived meanwhile.
        requireWorktree(taskId);
        await mkdir(folder(taskId), { recursive: true, mode: 0o700 });
        const path = join(folder(taskId), `${id}-${name}`);
        await rename(half, path);
        return { name, path, size };
      } catch (error) {
        await rm(half, { force: true });
        throw error;
      }
    },

    putAway: (taskId: string, trashPath: string) => moveAll(folder(taskId), join(trashPath, "files")),
    bringBack: (taskId: string, trashPath: string) => moveAll(join(trashPath, "files"), folder(taskId)),
  };
}

/** Names in the form that fileIn takes: a program may have put a file there whose name isn't text. */
async function entries(path: string): Promise<string[]> {
  try {
    return (await readdir(path, { encoding: "buffer" })).map((name) => name.toString("latin1"));
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return [];
    throw cause;
  }
}

/** One by one, so that a second attempt after a crash moves the rest. No two files have the same name. */
async function moveAll(from: string, to: string): Promise<void> {
  // An agent may have removed the permissions for that.
  await makeRemovable(from);
  const names = await entries(from);
  if (names.length > 0) await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of names) await rename(fileIn(from, name), fileIn(to, name));
  try {
    await rmdir(from);
  } catch (cause) {
    // A file that arrived meanwhile stays.
    if (!["ENOENT", "ENOTEMPTY"].includes(errorCode(cause) ?? "")) throw cause;
  }
}
