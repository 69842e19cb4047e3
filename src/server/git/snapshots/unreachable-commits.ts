import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { listIfThere } from "../disk/if-there.ts";
import type { InertGit } from "../run/inert-git.ts";

const OBJECT_NAME = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g;
const MAX_FILE_BYTES = 4_194_304;
const MAX_COMMITS = 500;

/**
 * Commits that the own files of worktrees name (their logs, an unfinished merge or rebase, their own references) and that
 * HEAD does not lead to: once those files are out of git's sight, nothing else would keep them from being collected.
 * Of commits that lead to each other the last ones, which hold the rest.
 */
export async function unreachableCommits(
  inert: InertGit,
  administrations: string[],
  head: string | null,
): Promise<string[]> {
  const named = new Set((await Promise.all(administrations.map(namesIn))).flat());
  if (named.size === 0) return [];
  const checked = await inert.must(
    "look up commits",
    ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
    {
      stdin: `${[...named].join("\n")}\n`,
    },
  );
  const lines = checked.split("\n").filter((line) => line.endsWith(" commit"));
  const commits = lines.map((line) => line.split(" ")[0] ?? "");
  const stdin = [...commits, head === null ? "" : `^${head}`, ""].join("\n");
  const walked = await inert.run(["rev-list", "--parents", "--stdin"], { stdin });
  // History with holes: keep more rather than less, and of a log the newest.
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

async function namesIn(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await listIfThere(directory)) {
    if (name === "modules" || name === "index" || name.startsWith("sharedindex.")) continue;
    const path = join(directory, name);
    const info = await lstat(path);
    if (info.isDirectory()) found.push(...(await namesIn(path)));
    else if (info.isFile() && info.size <= MAX_FILE_BYTES) {
      found.push(...(await readFile(path, "latin1")).matchAll(OBJECT_NAME).map(([hash]) => hash));
    }
  }
  return found;
}
