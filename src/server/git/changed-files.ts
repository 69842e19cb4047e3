import { join } from "node:path";
import { fieldsOf, readable } from "./file-names.ts";
import type { InertGit } from "./inert-git.ts";

export interface ChangedFile {
  name: string;
  /** As in the index. */
  mode: string;
  oid: string;
  /** git's letter: M, D, U…; "?" for an untracked file. */
  status: string;
}

/** Tracked files that are not as the index has them, by time, size and kind; submodules by their HEAD. */
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

/** Files git does not know and is not told to ignore; those of repositories inside the worktree too. */
export async function untrackedFiles(inert: InertGit) {
  const files: ChangedFile[] = [];
  const repositories: string[] = [];
  const collect = async (below: string) => {
    for (const found of await untrackedIn(inert, below)) {
      const name = below + found;
      if (name.endsWith("/")) {
        repositories.push(name.slice(0, -1));
        await collect(name);
      } else files.push({ name, mode: "000000", oid: "", status: "?" });
    }
  };
  await collect("");
  return { files, repositories };
}

async function untrackedIn(inert: InertGit, below: string): Promise<string[]> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z"];
  if (below === "") return fieldsOf(await inert.must("list new files", args));
  const env = {
    GIT_WORK_TREE: join(inert.worktree, readable(below)),
    GIT_INDEX_FILE: join(inert.directory, "no-index"),
  };
  const listed = await inert.run(["-C", env.GIT_WORK_TREE, ...args], { env });
  return listed.code === 0 ? fieldsOf(listed.stdout) : []; // the note about the repository says what is missing
}
