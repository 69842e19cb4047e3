import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { allModulesIn } from "../repository/modules.ts";
import { gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";

interface Moved {
  directory: string;
  /** Where the administrative directory was. */
  before: string;
  files: string;
  filesBefore: string;
}

/** Not inside the submodule, where git would first look for the files in their old place. */
const OUTSIDE = "/";

/** Updates the paths by which submodules' repositories and files refer to each other after a move. */
export async function repairSubmodules(moved: Moved): Promise<void> {
  if (moved.directory === moved.before && moved.files === moved.filesBefore) return;
  for (const module of await allModulesIn(join(moved.directory, "modules"))) {
    const config = join(module, "config");
    const { code, stdout } = await git(OUTSIDE, ["config", "--file", config, "core.worktree"]);
    if (code !== 0) continue;
    const moduleBefore = join(moved.before, relative(moved.directory, module));
    const told = relative(moved.filesBefore, resolve(moduleBefore, stdout.trimEnd()));
    // A cancelled attempt may have left another path. Then the name, which is usually the path, is used.
    const below = told.startsWith("..") ? nameOf(moved.directory, module) : told;
    const files = join(moved.files, below);
    if (!existsSync(join(files, ".git"))) continue;
    // The setting is written last because it is what is read above, so that another attempt does both.
    await writeFile(join(files, ".git"), `gitdir: ${relative(files, module)}\n`);
    const set = await git(OUTSIDE, ["config", "--file", config, "core.worktree", relative(module, files)]);
    if (set.code !== 0) throw gitFailure(`repair the submodule ${below}`, set);
  }
}

const nameOf = (directory: string, module: string) =>
  relative(join(directory, "modules"), module).replaceAll("/modules/", "/");
