// References by the documented layout of their files: loose ones, one a file, come before the packed ones.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, readIfThere } from "../disk/if-there.ts";

export interface Refs {
  names: string[];
  /** Object names by reference, at least of those that were asked for by their whole name. */
  objects: ReadonlyMap<string, string>;
}

export interface WantedRefs {
  exactly: string[];
  /** And the names of whatever begins with this, in one folder or below it. */
  beginning: string;
}

const OBJECT = /^[0-9a-f]{40,64}\n$/;
/** In a larger file git finds its way without reading it. */
const LARGEST = 256 << 10;

/** undefined where git has to be asked: references kept in another way, a symbolic one, many thousands, none found. */
export async function readRefFiles(
  common: string,
  { exactly, beginning }: WantedRefs,
): Promise<Refs | undefined> {
  try {
    const [loose, ...values] = await Promise.all([
      looseNames(common, beginning),
      ...exactly.map((name) => readIfThere(join(common, name))),
    ]);
    // Afterwards, as git does: one that is being packed is in both for a while, and then only there.
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
    return undefined; // git says what is wrong with them
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
