import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { fileIn, readable } from "../disk/file-names.ts";
import { errorCode, lstatIfThere } from "../disk/if-there.ts";
import { git } from "../run/git.ts";
import type { ChangedFile } from "./changed-files.ts";

export type FoundFile =
  | { name: string; kind: "file"; mode: "100644" | "100755" }
  | { name: string; kind: "link"; mode: "120000" }
  | { name: string; kind: "submodule"; mode: "160000"; oid: string }
  | { name: string; kind: "gone" }
  | { name: string; kind: "unreadable" };

/** What a file on disk is now, in git's terms. */
export async function inspectFile(worktree: string, { name, mode, status }: ChangedFile): Promise<FoundFile> {
  if (status === "D") return { name, kind: "gone" };
  const file = fileIn(worktree, name);
  try {
    const info = await lstatIfThere(file);
    if (info === undefined) return { name, kind: "gone" };
    if (info.isSymbolicLink()) return { name, kind: "link", mode: "120000" };
    if (info.isDirectory())
      return mode === "160000" ? await submodule(worktree, name) : { name, kind: "gone" };
    if (!info.isFile()) return { name, kind: "unreadable" };
    await access(file, constants.R_OK);
    return { name, kind: "file", mode: info.mode & 0o100 ? "100755" : "100644" };
  } catch (cause) {
    if (["EACCES", "EPERM", "ENOENT"].includes(errorCode(cause) ?? "")) return { name, kind: "unreadable" };
    throw cause;
  }
}

async function submodule(worktree: string, name: string): Promise<FoundFile> {
  const folder = join(worktree, readable(name));
  const head = await git(worktree, [`--git-dir=${folder}/.git`, "rev-parse", "--verify", "HEAD"]);
  if (head.code !== 0) return { name, kind: "unreadable" };
  return { name, kind: "submodule", mode: "160000", oid: head.stdout.trim() };
}
