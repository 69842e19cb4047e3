import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOf } from "../disk/file-names.ts";
import type { InertGit } from "../run/inert-git.ts";

/** Tracked files whose attributes ask for a filter, by the filter's name. */
export async function filteredFiles(inert: InertGit, common: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (!(await mayHaveAttributes(inert, common))) return found;
  const files = Buffer.from(await inert.must("list files", ["ls-files", "-z"]), "latin1");
  const asked = await inert.must("read attributes", ["check-attr", "-z", "--stdin", "filter"], {
    stdin: files,
  });
  const fields = asked.split("\0");
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", , value = ""] = fields.slice(at, at + 3);
    if (["unspecified", "unset", "set"].includes(value)) continue;
    const files = found.get(value);
    if (files === undefined) found.set(value, [path]);
    else files.push(path);
  }
  return found;
}

export const mayHaveAttributes = async (inert: InertGit, common: string): Promise<boolean> =>
  inert.settings.has("core.attributesfile") ||
  existsSync(join(common, "info/attributes")) ||
  existsSync(join(inert.worktree, ".gitattributes")) ||
  (await hasAttributesFile(inert));

/** Searches the index's bytes, which saves a process. From version 4 on, the index compresses names. */
async function hasAttributesFile(inert: InertGit): Promise<boolean> {
  const index = await readFile(inert.index);
  return index.readUInt32BE(4) > 3 || index.includes(".gitattributes");
}

/** Makes git check these files again, so that a later `git checkout -- .` runs their filter. */
export async function forgetFileTimes(inert: InertGit, files: string[]): Promise<void> {
  const wanted = new Set(files);
  const listed = fieldsOf(await inert.must("list files", ["ls-files", "-s", "-z"]));
  const entries = listed.filter((entry) => wanted.has(entry.slice(entry.indexOf("\t") + 1)));
  await inert.must("mark filtered files", ["update-index", "-z", "--index-info"], {
    stdin: Buffer.from(entries.map((entry) => `${entry}\0`).join(""), "latin1"),
  });
}
