// What a new worktree needs besides the files that git checks out, and what people should know about it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { filteredFiles, forgetFileTimes } from "../filters/filters.ts";
import { fillFromStore } from "../filters/lfs.ts";
import type { InertGit } from "../run/inert-git.ts";
import { copyIncluded } from "./include.ts";

interface FillWorktree {
  repository: string;
  path: string;
  include: string | null;
  common: string;
}

/** Filters never run here. Copies the LFS files that are on this machine, and returns notes about the rest. */
export async function fillWorktree(inert: InertGit, input: FillWorktree): Promise<string[]> {
  const { repository, path, include, common } = input;
  const [filtered, notes] = await Promise.all([
    filteredFiles(inert, common),
    copyIncluded({ from: repository, to: path, include, scratch: inert.directory }),
  ]);
  for (const [filter, files] of filtered) {
    if (filter === "lfs") {
      const missing = await fillFromStore({ common, path, files });
      if (missing > 0) notes.push(lfsNote(missing));
    } else {
      await forgetFileTimes(inert, files);
      notes.push(filterNote(filter, files.length));
    }
  }
  if (existsSync(join(path, ".gitmodules"))) notes.push(SUBMODULES);
  return notes;
}

const SUBMODULES =
  "The submodules are empty, because banto fetches nothing by itself. Add `git submodule update --init` to the project's setup command to fill them.";

const lfsNote = (count: number) =>
  `${count} LFS ${count === 1 ? "file is" : "files are"} not on this machine yet, so the worktree has only ${count === 1 ? "a pointer" : "pointers"}. Add \`git lfs pull\` to the project's setup command to fetch them.`;

const filterNote = (filter: string, count: number) =>
  `${count} ${count === 1 ? "file passes" : "files pass"} through the filter ${filter}, which banto does not run. Add \`git checkout -- .\` to the project's setup command to run it.`;
