import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOf, fileIn, readable } from "../disk/file-names.ts";
import { gitFailure } from "../run/failure.ts";
import type { InertGit } from "../run/inert-git.ts";

export interface ChangedFile {
  name: string;
  /** From the index. */
  mode: string;
  oid: string;
  /** git's letter: M, D, U…; "?" for an untracked file. */
  status: string;
}

/** Tracked files that differ from the index in time, size or kind, and submodules whose HEAD differs. */
export async function changedFiles(inert: InertGit): Promise<ChangedFile[]> {
  const args = ["diff-files", "--raw", "-z", "--no-abbrev", "--ignore-submodules=dirty"];
  const fields = (await inert.must("compare the files", args)).split("\0");
  const changed = new Map<string, ChangedFile>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = "", , oid = "", , status = ""] = (fields[at] ?? "").slice(1).split(" ");
    const name = fields[at + 1] ?? "";
    if (!changed.has(name)) changed.set(name, { name, mode, oid, status });
  }
  return [...changed.values()];
}

/** Files that git neither knows nor ignores, including those of repositories inside the worktree. */
export async function untrackedFiles(inert: InertGit) {
  const files: ChangedFile[] = [];
  const repositories: string[] = [];
  /** Folders that could not be read, in a form for people. */
  const closed: string[] = [];
  const collect = async (below: string) => {
    const found = await untrackedIn(inert, below, repositories.length);
    closed.push(...found.closed.map((name) => readable(below) + name));
    for (const name of found.names.map((one) => below + one)) {
      if (name.endsWith("/")) {
        repositories.push(name.slice(0, -1));
        await collect(name);
      } else files.push({ name, mode: "000000", oid: "", status: "?" });
    }
  };
  await collect("");
  return { files, repositories, closed };
}

async function untrackedIn(inert: InertGit, below: string, number: number) {
  const args = ["ls-files", "--others", "--exclude-standard", "-z"];
  const listed = below === "" ? await inert.run(args) : await listInside(inert, below, number, args);
  if (listed.code !== 0) {
    if (below === "") throw gitFailure("list new files", listed);
    return { names: [], closed: [""] };
  }
  return { names: fieldsOf(listed.stdout), closed: closedFolders(listed.stderr) };
}

/** Reads them from git's messages. Splits first, so that a name that repeats those words costs no more. */
export const closedFolders = (stderr: string): string[] =>
  stderr
    .split("could not open directory '")
    .slice(1)
    .flatMap((said) => /^(.*)':/.exec(said)?.[1] ?? []);

/** Through a link, because an argument has to be text and the folder's name may not be. */
async function listInside(inert: InertGit, below: string, number: number, args: string[]) {
  const link = join(inert.directory, `inside-${number}`);
  await symlink(fileIn(inert.worktree, below), link);
  const env = { GIT_WORK_TREE: link, GIT_INDEX_FILE: join(inert.directory, "no-index") };
  return inert.run(["-C", link, ...args], { env });
}
