// Frees what deleted snapshots took in a repository. Of other objects that nothing refers to, it deletes no more than git
// does by itself: somebody may still want those. And it deletes nothing that was written or used in the last hour,
// because an agent's git may be about to refer to that.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../errors.ts";
import { diskUse } from "../disk/disk-use.ts";
import { listIfThere } from "../disk/if-there.ts";
import { commonDirectory } from "../repository/administration.ts";
import { gitFailure } from "../run/failure.ts";
import { git, WORKTREE_TIMEOUT_MS } from "../run/git.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";
import { objectsNamedIn } from "./unreachable-commits.ts";

const UNUSED_SINCE = "1.hour.ago";

export interface Freed {
  freedBytes: number;
  /** What can be freed once it is an hour old. */
  laterBytes: number;
}

export async function freeSpace(repository: string): Promise<Freed> {
  await refuseHook(repository);
  const common = await commonDirectory(repository);
  const objects = join(common, "objects");
  const before = await diskUse(objects);
  // Not into a pack of things that nothing refers to, as newer versions do: each is a file that can be deleted.
  await must(repository, ["-c", "gc.cruftPacks=false", "gc", "--quiet"]);
  const unused = new Set(await ofDeletedSnapshots(repository, common));
  const old = new Set((await unreferenced(repository, UNUSED_SINCE)).map(({ name }) => name));
  const fileOf = (name: string) => join(objects, name.slice(0, 2), name.slice(2));
  let laterBytes = 0;
  // A snapshot's commit comes first and goes last, so that the rest is found again if this is interrupted.
  for (const name of [...unused].reverse()) {
    if (old.has(name)) await rm(fileOf(name), { force: true });
    else laterBytes += await diskUse(fileOf(name));
  }
  return { freedBytes: Math.max(0, before - (await diskUse(objects))), laterBytes };
}

/** The only configured program that it would run, which can't be disabled by another setting. */
async function refuseHook(repository: string): Promise<void> {
  const asked = await git(repository, ["config", "--get-all", "gc.recentObjectsHook"]);
  if (asked.code !== 0) return;
  throw new DomainError(
    "conflict",
    `${repository} has a gc.recentObjectsHook in its configuration, which banto does not run. Run git gc there yourself.`,
  );
}

async function must(repository: string, args: string[], stdin?: string): Promise<string> {
  const options = { timeoutMs: WORKTREE_TIMEOUT_MS, ...(stdin !== undefined && { stdin }) };
  const result = await gitWithoutHooks(repository, args, options);
  if (result.code !== 0) throw gitFailure(`tidy ${repository}`, result);
  return result.stdout;
}

/** Loose objects that nothing refers to, and nothing else does that was written or used since. */
async function unreferenced(repository: string, unusedSince: string) {
  const listed = await must(repository, ["prune", "--dry-run", `--expire=${unusedSince}`]);
  return [...listed.matchAll(/^(\w+) (\w+)$/gm)].map(([, name = "", kind]) => ({ name, kind }));
}

/** See snapshotMessage. */
const IS_SNAPSHOT = /^(\w+) banto: a worktree/gm;

/** Those unreferenced objects that only deleted snapshots had. */
async function ofDeletedSnapshots(repository: string, common: string): Promise<string[]> {
  const all = await unreferenced(repository, "now");
  const commits = all.filter(({ kind }) => kind === "commit").map(({ name }) => name);
  if (commits.length === 0) return [];
  const ask = async (args: string[], from: string[]) =>
    must(repository, ["rev-list", "--stdin", ...args], from.map((name) => `${name}\n`).join(""));
  const subjects = await ask(["--no-walk", "--format=%H %s"], commits);
  const snapshots = [...subjects.matchAll(IS_SNAPSHOT)].map(([, name = ""]) => name);
  const reach = async (from: string[]) => {
    if (from.length === 0) return [];
    const args = ["--objects", "--no-object-names", "--missing=allow-any"];
    return (await ask([...args, "--not", "--branches", "--tags", "--remotes"], from)).split("\n");
  };
  const names = new Set(all.map(({ name }) => name));
  const inTrash = new Set(await reach(await namedInTrash(repository, common)));
  return (await reach(snapshots)).filter((name) => names.has(name) && !inTrash.has(name));
}

/** Objects to which archived worktrees refer. git does not know about these any more. */
async function namedInTrash(repository: string, common: string): Promise<string[]> {
  const trash = join(common, "banto/trash");
  const names = new Set<string>();
  for (const entry of await listIfThere(trash)) {
    for (const name of await listIfThere(join(trash, entry))) {
      const directory = join(trash, entry, name);
      for (const one of await objectsNamedIn(directory)) names.add(one);
      const env = { GIT_DIR: directory, GIT_COMMON_DIR: common };
      const { stdout } = await git(directory, ["ls-files", "--stage"], { env });
      for (const [, one = ""] of stdout.matchAll(/^1[02]\d{4} (\w+) /gm)) names.add(one);
    }
  }
  const asked = await must(repository, ["cat-file", "--batch-check"], `${[...names].join("\n")}\n`);
  return [...asked.matchAll(/^(\w+) (?:commit|tree|blob|tag) /gm)].map(([, name = ""]) => name);
}
