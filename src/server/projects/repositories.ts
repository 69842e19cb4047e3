import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

export interface FoundRepository {
  path: string;
  name: string;
  /** When git last moved HEAD there. */
  usedAt: string;
}

const MAX_DEPTH = 5;
const MAX_DIRECTORIES = 20_000;
const MAX_SCAN_MS = 2_000;
const FRESH_MS = 15_000;
const SKIPPED = new Set(["node_modules", "vendor", "target", "dist", "build", "Library"]);

export type RepositoryFinder = ReturnType<typeof createRepositoryFinder>;

/** Suggests git repositories under the given roots, most recently used first; looks nowhere else. */
export function createRepositoryFinder(roots: string[]) {
  let scan: { at: number; found: Promise<FoundRepository[]> } | undefined;

  function known(): Promise<FoundRepository[]> {
    if (scan === undefined || Date.now() - scan.at > FRESH_MS)
      scan = { at: Date.now(), found: scanRoots(roots) };
    return scan.found;
  }

  return {
    async find(query: string, limit: number): Promise<FoundRepository[]> {
      const typed = query.startsWith("~") ? homedir() + query.slice(1) : query;
      const needle = typed.toLocaleLowerCase();
      const nearby = await childrenOf(typed, roots);
      const all = new Map([...nearby, ...(await known())].map((found) => [found.path, found]));
      return [...all.values()]
        .filter(({ path }) => path.toLocaleLowerCase().includes(needle))
        .sort((a, b) => b.usedAt.localeCompare(a.usedAt))
        .slice(0, limit);
    },
  };
}

/** Repositories next to the typed path, which may be deeper than the scan goes. */
async function childrenOf(typed: string, roots: string[]): Promise<FoundRepository[]> {
  const parent = typed.endsWith(sep) ? typed.slice(0, -1) : dirname(typed);
  if (!(await isBelow(parent, roots))) return [];
  return (await Promise.all((await subdirectories(parent)).map(asRepository))).filter(
    (found) => found !== undefined,
  );
}

/** By real paths, so that neither `..` nor a symbolic link leads out of the roots. */
async function isBelow(path: string, roots: string[]): Promise<boolean> {
  const real = isAbsolute(path) ? await realPath(path) : undefined;
  if (real === undefined) return false;
  const realRoots = await Promise.all(roots.map(realPath));
  return realRoots.some((root) => root !== undefined && !relative(root, real).startsWith(".."));
}

async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined; // not there, or not ours to look at
  }
}

async function scanRoots(roots: string[]): Promise<FoundRepository[]> {
  const deadline = Date.now() + MAX_SCAN_MS;
  const found: FoundRepository[] = [];
  let level = roots;
  let visited = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const directory of level) {
      visited += 1;
      if (visited > MAX_DIRECTORIES || Date.now() > deadline) return found;
      const repository = await asRepository(directory);
      if (repository !== undefined) found.push(repository);
      // A root may be a repository itself: many keep their home directory's dotfiles in one.
      if (repository === undefined || depth === 0) next.push(...(await subdirectories(directory)));
    }
    level = next;
  }
  return found;
}

async function asRepository(path: string): Promise<FoundRepository | undefined> {
  const used = (await lastWrite(join(path, ".git", "HEAD"))) ?? (await lastWrite(join(path, ".git")));
  return used && { path, name: basename(path), usedAt: used.toISOString() };
}

async function lastWrite(path: string): Promise<Date | undefined> {
  try {
    return (await stat(path)).mtime;
  } catch {
    return undefined; // not there, or not ours to look at: no suggestion
  }
}

async function subdirectories(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name))
      .map((entry) => join(path, entry.name));
  } catch {
    return []; // not readable: nothing to suggest from there
  }
}
