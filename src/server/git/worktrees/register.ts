import { mkdir, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { removeTree } from "../../remove-tree.ts";
import { errorCode } from "../disk/if-there.ts";
import { administrationOf } from "../repository/administration.ts";
import type { GitResult } from "../run/git.ts";
import type { Settings } from "../run/settings.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";

export const REGISTER_STEPS = ["branched", "drafted"] as const;

interface Registration {
  repository: string;
  common: string;
  path: string;
  branch: string;
  /** The branch exists already. */
  isThere: boolean;
  commit: string;
  settings: Settings;
  checkpoint: ((step: string) => void) | undefined;
  /** Called as soon as the folder exists. Runs beside the rest. */
  fill(): Promise<unknown>;
}

/** Makes the administrative directory of a new worktree without files; or returns git's refusal. */
export async function registerWorktree(input: Registration): Promise<string | GitResult> {
  return input.isThere || !isPlain(input.settings) ? registerByGit(input) : registerByHand(input);
}

/** Whether nothing about the repository changes what a worktree consists of. */
const isPlain = (settings: Settings) =>
  !settings.has("core.sharedrepository") &&
  !settings.has("core.sparsecheckout") &&
  ![...settings.keys()].some((name) => name.startsWith("extensions.") && !HARMLESS_EXTENSIONS.has(name));
const HARMLESS_EXTENSIONS = new Set(["extensions.objectformat", "extensions.partialclone"]);

async function registerByGit(input: Registration): Promise<string | GitResult> {
  const { repository, common, path, branch, commit, isThere } = input;
  const how = isThere ? [path, branch] : ["--no-track", "-b", branch, path, commit];
  const added = await gitWithoutHooks(repository, ["worktree", "add", "--quiet", "--no-checkout", ...how]);
  return (added.code === 0 ? (await administrationOf(common, path))?.directory : undefined) ?? added;
}

/**
 * The same, following the documented layout: one process instead of three in a row, while the files are already being
 * written.
 */
async function registerByHand(input: Registration): Promise<string | GitResult> {
  const { repository, common, path, branch, commit, fill } = input;
  if (!(await makeFolder(path))) return { code: 1, stdout: "", stderr: `${path} already exists` };
  const draft = draftFolder(common, path);
  const created = ["update-ref", "-m", "branch: Created by banto", `refs/heads/${branch}`, commit, ""];
  const filling = fill();
  const takeBack = async () => {
    await filling.catch(() => {}); // it writes to the same folder
    for (const made of [draft, path]) await removeTree(made);
  };
  // Waits for both, even if one fails: nothing else may run before they have ended.
  const [adding, drafting] = await Promise.allSettled([
    gitWithoutHooks(repository, created),
    writeDraft(draft, input),
  ]);
  const isAdded = adding.status === "fulfilled" && adding.value.code === 0;
  try {
    if (adding.status === "rejected") throw adding.reason;
    if (drafting.status === "rejected") throw drafting.reason;
    if (!isAdded) {
      await takeBack();
      return adding.value;
    }
    input.checkpoint?.("branched");
    return await publish(draft, input);
  } catch (cause) {
    await takeBack();
    if (isAdded) await gitWithoutHooks(repository, ["update-ref", "-d", `refs/heads/${branch}`, commit]);
    throw cause;
  }
}

export const draftFolder = (common: string, path: string) => join(common, "banto", `new-${basename(path)}`);

async function writeDraft(draft: string, { common, path, branch }: Registration): Promise<void> {
  await removeTree(draft); // from an attempt that was killed
  await mkdir(draft, { recursive: true });
  await Promise.all([
    writeFile(join(draft, "HEAD"), `ref: refs/heads/${branch}\n`),
    writeFile(join(draft, "commondir"), "../..\n"),
    writeFile(join(draft, "gitdir"), `${path}/.git\n`),
    mkdir(join(common, "worktrees"), { recursive: true }),
  ]);
}

async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    throw cause;
  }
}

/** Only when it is complete and the files point to it: `git worktree prune` would remove anything else. */
async function publish(draft: string, { common, path, checkpoint }: Registration): Promise<string> {
  for (let n = 0; ; n += 1) {
    const directory = join(common, "worktrees", `${basename(path)}${n || ""}`);
    await writeFile(join(path, ".git"), `gitdir: ${directory}\n`);
    checkpoint?.("drafted");
    try {
      await rename(draft, directory);
      return directory;
    } catch (cause) {
      if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(cause) ?? "")) throw cause;
    }
  }
}
