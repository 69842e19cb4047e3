import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { listIfThere } from "../disk/if-there.ts";
import { gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";

interface Moved {
  directory: string;
  /** Where the administrative directory was. */
  before: string;
  files: string;
  filesBefore: string;
}

/** Inside the submodule git would first go to where its files no longer are. */
const OUTSIDE = "/";

/** A submodule's repository and its files name each other by path; after a move they have to be told. */
export async function repairSubmodules(moved: Moved): Promise<void> {
  if (moved.directory === moved.before && moved.files === moved.filesBefore) return;
  for (const module of await modulesIn(join(moved.directory, "modules"))) {
    const config = join(module, "config");
    const { code, stdout } = await git(OUTSIDE, ["config", "--file", config, "core.worktree"]);
    if (code !== 0) continue;
    const moduleBefore = join(moved.before, relative(moved.directory, module));
    const told = relative(moved.filesBefore, resolve(moduleBefore, stdout.trimEnd()));
    // A try that was called off has told it of another place; its name is most often its path.
    const below = told.startsWith("..") ? nameOf(moved.directory, module) : told;
    const files = join(moved.files, below);
    if (!existsSync(join(files, ".git"))) continue;
    // Last what is asked above, so that a second try does both.
    await writeFile(join(files, ".git"), `gitdir: ${relative(files, module)}\n`);
    const set = await git(OUTSIDE, ["config", "--file", config, "core.worktree", relative(module, files)]);
    if (set.code !== 0) throw gitFailure(`repair the submodule ${below}`, set);
  }
}

const nameOf = (directory: string, module: string) =>
  relative(join(directory, "modules"), module).replaceAll("/modules/", "/");

/** A submodule's name may hold slashes, and it may have submodules of its own. */
async function modulesIn(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await listIfThere(directory)) {
    const path = join(directory, name);
    if (existsSync(join(path, "HEAD"))) found.push(path, ...(await modulesIn(join(path, "modules"))));
    else found.push(...(await modulesIn(path)));
  }
  return found;
}
