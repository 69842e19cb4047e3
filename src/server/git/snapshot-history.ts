import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { entries } from "./administration.ts";
import type { InertGit } from "./inert-git.ts";

const OBJECT_NAME = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g;
const MAX_FILE_BYTES = 4_194_304;
const MAX_COMMITS = 500;

/**
 * Commits that a worktree's own files name (its log, an unfinished merge or rebase, its own references) and that its HEAD
 * does not lead to: once those files are out of git's sight, nothing else would keep them from being collected.
 */
export async function commitsKnownOnlyTo(
  inert: InertGit,
  administration: string,
  head: string | null,
): Promise<string[]> {
  const named = [...new Set(await namesIn(administration))];
  if (named.length === 0) return [];
  const checked = await inert.must(
    "look up commits",
    ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
    {
      stdin: `${named.join("\n")}\n`,
    },
  );
  const lines = checked.split("\n").filter((line) => line.endsWith(" commit"));
  const commits = lines.map((line) => line.split(" ")[0] ?? "");
  if (head === null) return commits.slice(0, MAX_COMMITS);
  const stdin = [...commits, `^${head}`, ""].join("\n");
  const walked = await inert.run(["rev-list", "--stdin"], { stdin });
  if (walked.code !== 0) return commits.slice(0, MAX_COMMITS); // history with holes: keep more rather than less
  const outside = new Set(walked.stdout.split("\n"));
  return commits.filter((commit) => outside.has(commit)).slice(0, MAX_COMMITS);
}

async function namesIn(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await entries(directory)) {
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
