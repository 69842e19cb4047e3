// Lock files of a worktree: while one is there, no git changes anything in it. A git that was stopped leaves it behind.

import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../disk/if-there.ts";
import { administrationOf, canonicalPlace } from "../repository/administration.ts";
import { allModulesIn } from "../repository/modules.ts";
import { commonIfThere } from "../trash/trash.ts";

const LOCKS = ["index.lock", "HEAD.lock"];

interface Worktree {
  repository: string;
  path: string;
}

export async function locksOf({ repository, path }: Worktree): Promise<string[]> {
  const common = await commonIfThere(repository);
  const administration = common && (await administrationOf(common, await canonicalPlace(path)));
  return administration ? locksIn(administration.directory) : [];
}

/** In an administrative directory, and in the repositories of its submodules. */
export async function locksIn(administration: string): Promise<string[]> {
  const directories = [administration, ...(await allModulesIn(join(administration, "modules")))];
  return directories
    .flatMap((directory) => LOCKS.map((name) => join(directory, name)))
    .filter((path) => existsSync(path));
}

/** Out of git's way; what one held may be all that is left of what was staged. */
export async function setLocksAside(locks: string[]): Promise<void> {
  for (const lock of locks) {
    await rename(lock, `${lock}.stale`).catch((cause) => {
      if (errorCode(cause) !== "ENOENT") throw cause; // its git has come to its end
    });
  }
}
