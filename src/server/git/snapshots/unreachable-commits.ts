import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { listIfThere } from "../disk/if-there.ts";
import type { InertGit } from "../run/inert-git.ts";

const OBJECT_NAME = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g;
const MAX_FILE_BYTES = 4_194_304;
const MAX_COMMITS = 500;
/** Skipped at the top only: further down, a branch may have such a name. */
const NO_NAMES = new Set(["modules", "objects", "lfs", "index"]);

/**
 * Commits that worktrees' own files refer to (their logs, an unfinished merge or rebase, their own references) and that
 * are not reachable from HEAD. Once those files are gone from git's view, nothing else would keep these commits from
 * being collected. Only the last ones of each history, because they include the rest.
 */
export async function unreachableCommits(
  inert: InertGit,
  administrations: string[],
  head: string | null,
): Promise<string[]> {
  const named = await Promise.all(administrations.map((directory) => objectsNamedIn(directory)));
  const { commit: commits = [] } = await objectsByKind(inert, named.flat());
  if (commits.length === 0) return [];
  const stdin = [...commits, head === null ? "" : `^${head}`, ""].join("\n");
  const walked = await inert.run(["rev-list", "--parents", "--stdin"], { stdin });
  // If the history has holes, keep more rather than less, the newest first.
  if (walked.code !== 0) return commits.slice(-MAX_COMMITS);
  const outside = fieldsByLine(walked.stdout);
  const parents = new Set(outside.flatMap(([, ...before]) => before));
  const last = outside.map(([commit = ""]) => commit).filter((commit) => !parents.has(commit));
  return last.slice(0, MAX_COMMITS);
}

const fieldsByLine = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" "));

/** The existing objects by kind: commit, tag, tree, blob. */
export async function objectsByKind(
  inert: InertGit,
  names: Iterable<string>,
): Promise<Partial<Record<string, string[]>>> {
  const stdin = [...new Set(names)].map((name) => `${name}\n`).join("");
  if (stdin === "") return {};
  const args = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
  const lines = fieldsByLine(await inert.must("look up commits", args, { stdin }));
  const byKind = Object.groupBy(lines, ([, kind = ""]) => kind);
  return Object.fromEntries(
    Object.entries(byKind).map(([kind, of = []]) => [kind, of.map(([name = ""]) => name)]),
  );
}

export const namesIn = (text: string): string[] => [...text.matchAll(OBJECT_NAME).map(([name]) => name)];

/** Object names in git's own files about a worktree or repository, without index and objects. */
export async function objectsNamedIn(directory: string, maxBytes = MAX_FILE_BYTES): Promise<string[]> {
  const found: string[] = [];
  const search = async (folder: string, isTop: boolean) => {
    for (const name of await listIfThere(folder)) {
      if (isTop && (NO_NAMES.has(name) || name.startsWith("sharedindex."))) continue;
      const path = join(folder, name);
      const info = await lstat(path);
      if (info.isDirectory()) await search(path, false);
      else if (info.isFile() && info.size <= maxBytes) found.push(...namesIn(await readFile(path, "latin1")));
    }
  };
  await search(directory, true);
  return found;
}
