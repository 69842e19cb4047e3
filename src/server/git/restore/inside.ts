// Restores repositories that were inside a worktree from its snapshot, which has the objects, git's own files and the
// working files of each. See snapshots/keep-inside.ts.

import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { deflateSync } from "node:zlib";
import { DomainError } from "../../errors.ts";
import { fileIn, readable } from "../disk/file-names.ts";
import { gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";
import { type InertGit, objectStores, withInertGit } from "../run/inert-git.ts";
import { type InnerFacts, innerFacts, snapshotFacts } from "../snapshots/facts.ts";
import { asStored, checkOut } from "./check-out.ts";

interface Around {
  /** The worktree's files, and its administrative directory, which submodules' repositories go into. */
  path: string;
  directory: string;
}

export async function restoreInside(outer: InertGit, around: Around, commits: string[]): Promise<void> {
  for (const [number, commit] of commits.entries()) await restoreOne(outer, around, commit, number);
}

async function restoreOne(outer: InertGit, around: Around, commit: string, number: number): Promise<void> {
  const facts = innerFacts(await textOf(outer, commit));
  const { files, own } = await placesFor(outer, around, facts, number);
  await bringObjects(outer, own, commit);
  await bringOwnFiles(outer, own, commit, number);
  if (facts.module !== null)
    await tie(own, facts.below === null ? null : join(around.path, readable(facts.below)));
  if (facts.snapshot === null) return;
  const input = { common: own, worktree: files, settings: outer.settings, beside: `${files}-own` };
  await withInertGit(input, async (inert) => {
    const snapshot = facts.snapshot ?? "";
    const inner = snapshotFacts(await textOf(inert, snapshot));
    if (inner === undefined) throw madeUp(commit);
    await checkOut(inert, { common: own, path: files, facts: inner, snapshot });
    await restoreInside(inert, { path: files, directory: own }, inner.inside);
  });
}

const textOf = (inert: InertGit, commit: string) =>
  inert.must("read the snapshot", ["cat-file", "commit", commit], { encoding: "utf8" });

/** An agent can write to the repository, so a snapshot may be forged. */
const madeUp = (commit: string) => new DomainError("invalid", `${commit} is not a snapshot of banto's.`);

/**
 * Where its files and its own directory go. The files are reached through a link, because their path may not be text.
 */
async function placesFor(
  outer: InertGit,
  { path, directory }: Around,
  { below, module }: InnerFacts,
  number: number,
) {
  const files = join(outer.directory, `inner-${number}`);
  const top = await realpath(path);
  if (below !== null) {
    const folder = fileIn(top, below);
    if (!isBelow(below)) throw madeUp(below);
    await mkdir(folder, { recursive: true });
    if (!Buffer.from(await realpath(folder, { encoding: "buffer" })).equals(folder)) throw madeUp(below);
    await symlink(folder, files);
  }
  if (module !== null && !isBelow(module)) throw madeUp(module);
  if (module === null && below === null) throw madeUp("Its repository");
  const own = module === null ? `${files}/.git` : join(directory, "modules", module);
  for (const folder of ["objects/pack", "refs"]) await mkdir(join(own, folder), { recursive: true });
  return { files, own };
}

const isBelow = (name: string) =>
  name !== "" && name.split("/").every((part) => !["", ".", "..", ".git"].includes(part.toLowerCase()));

async function bringObjects(outer: InertGit, own: string, commit: string): Promise<void> {
  const objects = join(own, "objects");
  const around = (await outer.must("find objects", ["rev-parse", "--git-path", "objects"])).trim();
  const env = objectStores(objects, [resolve(outer.worktree, around)]);
  const has = async (what: string) => (await outer.run(["cat-file", "-e", what])).code === 0;
  const wanted = [`${commit}^@`, ...((await has(`${commit}:objects`)) ? [`${commit}:objects`] : [])];
  const args = ["pack-objects", "--revs", "--non-empty", "--quiet", join(objects, "pack/pack")];
  await outer.must("bring back the objects of a repository inside", args, {
    env,
    stdin: `${wanted.join("\n")}\n`,
  });
  if (!(await has(`${commit}:tags`))) return;
  const tags = Buffer.from(await outer.must("read tags", ["cat-file", "blob", `${commit}:tags`]), "latin1");
  await writeTags(objects, tags);
}

/** Writes loose objects from the output of `git cat-file --batch`. */
async function writeTags(objects: string, said: Buffer): Promise<void> {
  for (let at = 0; at < said.length; ) {
    const start = said.indexOf("\n", at) + 1;
    const [name = "", kind, size] = said.toString("latin1", at, start - 1).split(" ");
    const content = said.subarray(start, start + Number(size));
    if (start === 0 || kind !== "tag" || !/^[0-9a-f]{40,64}$/.test(name) || content.length !== Number(size)) {
      throw madeUp("A list of tags");
    }
    const file = join(objects, name.slice(0, 2), name.slice(2));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, deflateSync(Buffer.concat([Buffer.from(`tag ${size}\0`), content])), {
      mode: 0o444,
    });
    at = start + content.length + 1;
  }
}

async function bringOwnFiles(outer: InertGit, own: string, commit: string, number: number): Promise<void> {
  const env = {
    GIT_WORK_TREE: own,
    GIT_INDEX_FILE: join(outer.directory, `inner-${number}-index`),
  };
  await asStored(outer, async () => {
    await outer.must("read a repository inside", ["read-tree", `${commit}:git`], { env });
    await outer.must("write a repository inside", ["-C", own, "checkout-index", "--all", "--force"], { env });
  });
}

/** Links a submodule's repository and its files, which refer to each other by path. */
async function tie(own: string, files: string | null): Promise<void> {
  if (files === null) return;
  const [from, to] = await Promise.all([realpath(own), realpath(files)]);
  await writeFile(join(to, ".git"), `gitdir: ${relative(to, from)}\n`);
  const config = ["config", "--file", join(from, "config"), "core.worktree", relative(from, to)];
  const set = await git("/", config);
  if (set.code !== 0) throw gitFailure("bring back a submodule", set);
}
