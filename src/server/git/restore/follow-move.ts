// Tells repositories that the worktrees of a data directory have moved.

import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { listIfThere, readIfThere } from "../disk/if-there.ts";
import { type Administration, administrations } from "../repository/administration.ts";
import { commonIfThere } from "../trash/trash.ts";
import { repairSubmodules } from "./submodules.ts";

interface FollowMove {
  repositories: string[];
  /** The folder they are in now. */
  worktrees: string;
  /** The folder they were in. It may still exist with copies in it, which are no longer worktrees. */
  before: string;
}

export async function followMove({ repositories, worktrees, before }: FollowMove): Promise<void> {
  const names = await listIfThere(worktrees);
  for (const repository of repositories) {
    const common = await commonIfThere(repository);
    if (common === null) continue;
    for (const administration of await administrations(common)) {
      const files = placeNow(administration.worktree, names, worktrees);
      if (files !== undefined) await follow(administration, files, before);
    }
  }
}

/** Recognised by the folder's name, which is the task's id, because the old path may not be known exactly. */
function placeNow(worktree: string, names: string[], worktrees: string): string | undefined {
  const parts = worktree.split("/");
  const at = parts.findLastIndex((part, index) => parts[index - 1] === "worktrees" && names.includes(part));
  return at < 0 ? undefined : join(worktrees, ...parts.slice(at));
}

async function follow({ directory, worktree }: Administration, files: string, before: string): Promise<void> {
  const wasThere = worktree.startsWith(`${before}/`);
  if (worktree === files || (existsSync(worktree) && !wasThere)) return;
  const pointer = /^gitdir: (.+)$/m.exec((await readIfThere(join(files, ".git"))) ?? "")?.[1];
  if (pointer === undefined || resolve(files, pointer) !== directory) return;
  await repairSubmodules({ directory, before: directory, files, filesBefore: worktree });
  await writeFile(join(directory, "gitdir"), `${files}/.git\n`);
}
