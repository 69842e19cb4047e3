// Reads references from their files, whose layout is documented. Loose ones, one per file, override packed ones.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, readIfThere } from "../disk/if-there.ts";

export interface Refs {
  names: string[];
  /** Object names by reference, at least for those that were asked for by full name. */
  objects: ReadonlyMap<string, string>;
}

export interface WantedRefs {
  exactly: string[];
  /** And the names of all that start with this. */
  beginning: string;
}

const OBJECT = /^[0-9a-f]{40,64}\n$/;
/** Git is better at larger files, because it doesn't read them whole. */
const LARGEST = 256 << 10;

/** undefined if git has to be asked: another storage format, a symbolic reference, a large file, or nothing found. */
export async function readRefFiles(
  common: string,
  { exactly, beginning }: WantedRefs,
): Promise<Refs | undefined> {
  try {
    const [loose, ...values] = await Promise.all([
      looseNames(common, beginning),
      ...exactly.map((name) => readIfThere(join(common, name))),
    ]);
    // Read after the loose ones, as git does: a reference that is being packed is in both for a while, then only here.
    const objects = await packedRefs(common);
    if (objects === undefined) return undefined;
    const packed = [...objects.keys()].filter((name) => name.startsWith(beginning));
    for (const [at, name] of exactly.entries()) {
      const value = values[at];
      if (value === undefined) continue;
      if (!OBJECT.test(value)) return undefined;
      objects.set(name, value.trimEnd());
    }
    return exactly.some((name) => objects.has(name)) ? { names: [...loose, ...packed], objects } : undefined;
  } catch {
    return undefined; // git will say what is wrong
  }
}

async function packedRefs(common: string): Promise<Map<string, string> | undefined> {
  const file = join(common, "packed-refs");
  try {
    if ((await stat(file)).size > LARGEST) return undefined;
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return new Map();
    throw cause;
  }
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => /^[0-9a-f]/.test(line));
  return new Map(lines.map((line) => line.split(" ", 2).toReversed() as [string, string]));
}

async function looseNames(common: string, beginning: string): Promise<string[]> {
  const folder = beginning.slice(0, beginning.lastIndexOf("/") + 1);
  const entries = await readdir(join(common, folder), { withFileTypes: true });
  const names = entries.map(async (entry) => {
    const name = `${folder}${entry.name}`;
    if (!name.startsWith(beginning) || name.endsWith(".lock")) return [];
    return entry.isDirectory() ? looseNames(common, `${name}/`) : [name];
  });
  return (await Promise.all(names)).flat();
}
