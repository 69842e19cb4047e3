import { fieldsOf, fileIn } from "../disk/file-names.ts";
import { lstatIfThere } from "../disk/if-there.ts";
import { filteredFiles, mayHaveAttributes } from "../filters/filters.ts";
import type { InertGit } from "../run/inert-git.ts";
import type { ChangedFile } from "./changed-files.ts";

/** Attributes, other than filters, with which git changes a file's bytes on the way in and out. */
const CONVERSIONS = ["text", "crlf", "eol", "ident", "working-tree-encoding"];
const AT_ONCE = 256;

/**
 * Files that git considers unchanged although their bytes may differ from what it stores: line endings, `$Id$` or the
 * encoding were converted on the way in, and may not be restored as they were. All but an encoding change the size.
 */
export async function convertedFiles(inert: InertGit, common: string): Promise<ChangedFile[]> {
  const asked = await filesThatMayBe(inert, common);
  if (asked.size === 0) return [];
  const listed = fieldsOf(await inert.must("list files", ["ls-files", "--stage", "-z"]));
  const files: ChangedFile[] = [];
  for (const entry of listed) {
    const [mode = "", oid = "", stage = ""] = entry.slice(0, entry.indexOf("\t")).split(" ");
    const name = entry.slice(entry.indexOf("\t") + 1);
    if (stage === "0" && mode.startsWith("100") && asked.has(name))
      files.push({ name, mode, oid, status: "M" });
  }
  const sizes = await storedSizes(inert, files);
  const found: ChangedFile[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    const infos = await Promise.all(some.map(({ name }) => lstatIfThere(fileIn(inert.worktree, name))));
    found.push(
      ...some.filter((file, index) => {
        const info = infos[index];
        return info?.isFile() && (asked.get(file.name) === "encoded" || info.size !== sizes.get(file.oid));
      }),
    );
  }
  return found;
}

/** By name; "encoded" if another encoding may have the same size. */
async function filesThatMayBe(inert: InertGit, common: string): Promise<Map<string, "sized" | "encoded">> {
  const found = new Map<string, "sized" | "encoded">();
  const isForAll = ["true", "input"].includes(inert.settings.get("core.autocrlf") ?? "");
  const hasAttributes = await mayHaveAttributes(inert, common);
  if (!isForAll && !hasAttributes) return found;
  const names = await inert.must("list files", ["ls-files", "-z"]);
  if (isForAll) for (const name of fieldsOf(names)) found.set(name, "sized");
  if (!hasAttributes) return found;
  const fields = await inert.must("read attributes", ["check-attr", "-z", "--stdin", ...CONVERSIONS], {
    stdin: Buffer.from(names, "latin1"),
  });
  const answers = fields.split("\0");
  for (let at = 0; at + 2 < answers.length; at += 3) {
    const [name = "", attribute, value = ""] = answers.slice(at, at + 3);
    if (["unspecified", "unset"].includes(value)) continue;
    if (attribute === "working-tree-encoding") found.set(name, "encoded");
    else if (!found.has(name)) found.set(name, "sized");
  }
  // A filter's output must not get into the repository unfiltered: it may be a decrypted secret.
  for (const [filter, files] of await filteredFiles(inert, common)) {
    if (filter !== "lfs") for (const name of files) found.delete(name);
  }
  return found;
}

async function storedSizes(inert: InertGit, files: ChangedFile[]): Promise<Map<string, number>> {
  const stdin = [...new Set(files.map(({ oid }) => oid))].map((oid) => `${oid}\n`).join("");
  if (stdin === "") return new Map();
  const args = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const lines = (await inert.must("read the sizes of files", args, { stdin })).trimEnd().split("\n");
  return new Map(lines.map((line) => [line.split(" ")[0] ?? "", Number(line.split(" ")[1])]));
}
