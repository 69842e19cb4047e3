// Keeps the history of repositories inside a worktree with the worktree's snapshot: a commit whose parents are
// everything that a repository's own files refer to, and whose tree is these files. Its objects are copied in one pack,
// without those that another snapshot already has.

import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../errors.ts";
import { fieldsOf, fileIn, readable } from "../disk/file-names.ts";
import { isFileError } from "../disk/if-there.ts";
import { gitFailure } from "../run/failure.ts";
import { git } from "../run/git.ts";
import { type InertGit, withInertGit } from "../run/inert-git.ts";
import { addFiles } from "./add-changes.ts";
import type { ChangedFile } from "./changed-files.ts";
import { commitTree } from "./commit-tree.ts";
import { copyIndex } from "./copy-index.ts";
import { type InnerFacts, innerMessage } from "./facts.ts";
import type { InsideFound } from "./find-inside.ts";
import type { SnapshotPlace, Written } from "./place.ts";
import { namesIn, objectsByKind, objectsNamedIn } from "./unreachable-commits.ts";

interface Keeping extends Pick<SnapshotPlace, "store" | "kept"> {
  /** The administrative directory with the submodules. */
  directory: string | undefined;
  writeSnapshot(inert: InertGit, place: SnapshotPlace): Promise<Written>;
}

interface Kept {
  commits: string[];
  notes: string[];
  isWhole: boolean;
}

export async function keepInside(inert: InertGit, keeping: Keeping, found: InsideFound): Promise<Kept> {
  const unclear = found.unclear.map((name) => `The history of ${readable(name)} couldn't be found.`);
  const kept: Kept = { commits: [], notes: unclear, isWhole: unclear.length === 0 };
  for (const [number, one] of found.repositories.entries()) {
    const name = readable(one.below ?? one.module ?? "");
    try {
      const { commit, notes, isWhole } = await keep(inert, keeping, one, number);
      kept.commits.push(commit);
      kept.notes.push(...notes.map((note) => `In ${name}: ${note}`));
      kept.isWhole &&= isWhole;
    } catch (cause) {
      if (!(cause instanceof DomainError) && !isFileError(cause)) throw cause;
      kept.notes.push(`The history of ${name} is not in the snapshot: ${cause.message}`);
      kept.isWhole = false;
    }
  }
  return kept;
}

async function keep(
  outer: InertGit,
  { directory, store, kept, writeSnapshot }: Keeping,
  { below, module }: Omit<InnerFacts, "snapshot">,
  number: number,
): Promise<Written> {
  // A link, because arguments have to be text and the name may not be.
  const files = join(outer.directory, `inner-${number}`);
  if (below === null) await mkdir(files);
  else await symlink(fileIn(outer.worktree, below), files);
  const own = module === null ? `${files}/.git` : join(directory ?? "", "modules", module);
  await requireOrdinary(own, outer);
  const common = {
    common: own,
    settings: outer.settings,
    objects: { written: store, read: [join(own, "objects")] },
    beside: files,
  };
  const inner = await withInertGit({ ...common, worktree: own, beside: `${files}-own` }, (inert) =>
    ownFiles(inert),
  );
  return withInertGit({ ...common, worktree: files }, async (inert) => {
    const administrations = [{ name: "", directory: own, worktree: files }];
    const snapshot =
      below === null ? undefined : await writeSnapshot(inert, { common: own, administrations, store, kept });
    const history = await historyOf(inert, own);
    const tree = await makeTree(inert, [`040000 tree ${inner.tree}\tgit`, ...history.entries]);
    const parents = await fewParents(inert, tree, [
      ...(snapshot === undefined ? [] : [snapshot.commit]),
      ...history.commits,
    ]);
    const message = innerMessage({ below, module, snapshot: snapshot?.commit ?? null });
    const commit = await commitTree(inert, tree, parents, message);
    await copyObjects(inert, store, commit, kept);
    const notes = [...(snapshot?.notes ?? []), ...inner.notes];
    return { commit, notes, isWhole: inner.isWhole && (snapshot?.isWhole ?? true) };
  });
}

/** Refuses repositories whose objects don't fit into the outer one, or whose branches can't be read here. */
async function requireOrdinary(own: string, { settings }: InertGit): Promise<void> {
  if (existsSync(join(own, "shallow"))) throw new DomainError("invalid", "it is a shallow clone.");
  const args = ["config", "--file", join(own, "config"), "--get-regexp", "^extensions\\."];
  const { stdout } = await git("/", args);
  const extension = (name: string) => new RegExp(`^extensions\\.${name} (.*)$`, "mi").exec(stdout)?.[1];
  if ((extension("objectformat") ?? "sha1") !== (settings.get("extensions.objectformat") ?? "sha1"))
    throw new DomainError("invalid", "it uses another hash for its objects.");
  if ((extension("refstorage") ?? "files") !== "files")
    throw new DomainError("invalid", "its branches aren't stored as files.");
}

/** Git's own files about a repository, except objects, as a tree. Repositories of submodules are kept separately. */
async function ownFiles(inert: InertGit) {
  const names: ChangedFile[] = [];
  const collect = async (below: string) => {
    for (const entry of await readdir(fileIn(inert.worktree, below), { encoding: "buffer" })) {
      const name = below + entry.toString("latin1");
      if (["objects", "modules"].includes(name)) continue;
      const info = await lstat(fileIn(inert.worktree, name));
      if (info.isDirectory()) await collect(`${name}/`);
      else if (info.isFile() || info.isSymbolicLink())
        names.push({ name, mode: "000000", oid: "", status: "?" });
    }
  };
  await collect("");
  const missing = await addFiles(inert, names);
  const tree = (await inert.must("write git's files down", ["write-tree"])).trim();
  return { tree, notes: missing, isWhole: missing.length === 0 };
}

/** What its own files refer to: commits, and tree entries for what can't be a commit's parent. */
async function historyOf(inert: InertGit, own: string) {
  const {
    commit: commits = [],
    tag = [],
    ...others
  } = await objectsByKind(inert, await objectsNamedIn(own, Infinity));
  const tags = new Set<string>();
  let text = "";
  for (let next = tag; next.length > 0; ) {
    for (const name of next) tags.add(name);
    const stdin = next.map((name) => `${name}\n`).join("");
    const more = await inert.must("read tags", ["cat-file", "--batch"], { stdin });
    text += more;
    const behind = await objectsByKind(inert, namesIn(more));
    commits.push(...(behind.commit ?? []));
    others.blob = [...(others.blob ?? []), ...(behind.blob ?? [])];
    next = (behind.tag ?? []).filter((name) => !tags.has(name));
  }
  const loose = [
    ...(others.tree ?? []).map((name) => `040000 tree ${name}\t${name}`),
    ...[...(others.blob ?? []), ...(await stagedInConflict(inert, own))].map(
      (name) => `100644 blob ${name}\t${name}`,
    ),
  ];
  const entries: string[] = [];
  if (loose.length > 0) entries.push(`040000 tree ${await makeTree(inert, [...new Set(loose)])}\tobjects`);
  if (tags.size > 0) {
    const args = ["hash-object", "-w", "--no-filters", "--stdin"];
    const blob = await inert.must("keep tags", args, { stdin: Buffer.from(text, "latin1") });
    entries.push(`100644 blob ${blob.trim()}\ttags`);
  }
  return { commits: [...new Set(commits)], entries };
}

/** If the index can't be written as a tree, its blobs are kept one by one. */
async function stagedInConflict(inert: InertGit, own: string): Promise<string[]> {
  const env = { GIT_INDEX_FILE: join(inert.directory, "own-index") };
  if (!(await copyIndex(own, env.GIT_INDEX_FILE))) return [];
  if ((await inert.run(["write-tree"], { env })).code === 0) return [];
  const { stdout } = await inert.run(["ls-files", "--stage", "-z"], { env });
  const names = fieldsOf(stdout).filter((entry) => !entry.startsWith("160000 "));
  return (
    (
      await objectsByKind(
        inert,
        names.map((entry) => entry.split(" ", 2)[1] ?? ""),
      )
    ).blob ?? []
  );
}

const makeTree = async (inert: InertGit, entries: string[]) =>
  (
    await inert.must("write a tree", ["mktree", "-z"], { stdin: entries.map((one) => `${one}\0`).join("") })
  ).trim();

const MOST_PARENTS = 500;

/** As many parents as fit on a command line. The rest go behind another commit. */
async function fewParents(inert: InertGit, tree: string, parents: string[]): Promise<string[]> {
  let rest = parents;
  while (rest.length > MOST_PARENTS) {
    const some = rest.slice(-MOST_PARENTS);
    const behind = await commitTree(inert, tree, some, "banto: more of its history\n");
    rest = [...rest.slice(0, -MOST_PARENTS), behind];
    // The new one comes last, so that the snapshot stays the first.
  }
  return rest;
}

/** All or nothing: git fails at the first missing object. */
async function copyObjects(inert: InertGit, store: string, commit: string, kept: string[]): Promise<void> {
  await mkdir(join(store, "pack"), { recursive: true });
  const args = ["pack-objects", "--revs", "--non-empty", "--quiet", join(store, "pack/pack")];
  const copy = (without: string[]) =>
    inert.run(args, { stdin: [commit, "--not", ...without, ""].join("\n") });
  let copied = await copy(kept);
  if (copied.code !== 0 && kept.length > 0) copied = await copy([]); // one of those may be broken
  if (copied.code !== 0) throw gitFailure("copy its objects", copied);
}
