// In every folder of src/, its files and folders import each other one way only, types included.

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dir, "..");
const IMPORT = /(?:\bfrom\s+|\bimport\s+|\bimport\s*\(\s*)"(\.[^"]*)"/g;

type Graph = Map<string, Map<string, string>>;

/** What each source file imports of the others. */
function fileImports(): [from: string, to: string][] {
  const names = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => /\.tsx?$/.test(name)).map((name) => join("src", name));
  return files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(IMPORT)].map(([, target = ""]): [string, string] => [
      file,
      join(dirname(file), target),
    ]),
  );
}

/** For every folder, which of its entries import which; each edge with one import that makes it. */
function foldersOf(imports: [from: string, to: string][]): Map<string, Graph> {
  const folders = new Map<string, Graph>();
  for (const [from, to] of imports) {
    const [folder, source, target] = firstDifference(from, to);
    if (source === target) continue;
    const graph = folders.get(folder) ?? new Map();
    const edges = graph.get(source) ?? new Map();
    folders.set(folder, graph.set(source, edges.set(target, `${from} imports ${to}`)));
  }
  return folders;
}

function firstDifference(from: string, to: string): [folder: string, source: string, target: string] {
  const [a, b] = [from.split("/"), to.split("/")];
  const depth = a.findIndex((part, at) => part !== b[at]);
  return [a.slice(0, depth).join("/"), a[depth] ?? "", b[depth] ?? ""];
}

/** The imports that make up a cycle, or none. */
function findCycle(graph: Graph): string[] {
  const done = new Set<string>();
  function visit(node: string, path: string[]): string[] {
    if (path.includes(node)) {
      const cycle = [...path.slice(path.indexOf(node)), node];
      return cycle.slice(1).map((target, at) => graph.get(cycle[at] ?? "")?.get(target) ?? "");
    }
    if (done.has(node)) return [];
    for (const target of graph.get(node)?.keys() ?? []) {
      const found = visit(target, [...path, node]);
      if (found.length > 0) return found;
    }
    done.add(node);
    return [];
  }
  for (const node of graph.keys()) {
    const found = visit(node, []);
    if (found.length > 0) return found;
  }
  return [];
}

const folders = foldersOf(fileImports());

test("every import names a file that is there", () => {
  const missing = fileImports().filter(([, to]) => !Bun.file(join(ROOT, to)).size);
  expect(missing.map(([from, to]) => `${from} imports ${relative(".", to)}`)).toEqual([]);
});

for (const [folder, graph] of folders)
  test(`${folder}/ has no import cycle`, () => expect(findCycle(graph)).toEqual([]));

describe("a cycle is found", () => {
  const cycles = (...imports: [from: string, to: string][]) =>
    [...foldersOf(imports)].map(([folder, graph]) => [folder, findCycle(graph)] as const);

  test("of files", () => {
    expect(cycles(["src/a.ts", "src/b.ts"], ["src/b.ts", "src/c.ts"], ["src/c.ts", "src/b.ts"])).toEqual([
      ["src", ["src/b.ts imports src/c.ts", "src/c.ts imports src/b.ts"]],
    ]);
  });

  test("of folders, though no two files import each other", () => {
    expect(cycles(["src/one/a.ts", "src/two/b.ts"], ["src/two/c.ts", "src/one/d.ts"])).toEqual([
      ["src", ["src/one/a.ts imports src/two/b.ts", "src/two/c.ts imports src/one/d.ts"]],
    ]);
  });

  test("of a folder and a file beside it", () => {
    expect(cycles(["src/one/a.ts", "src/b.ts"], ["src/b.ts", "src/one/c.ts"])).toEqual([
      ["src", ["src/one/a.ts imports src/b.ts", "src/b.ts imports src/one/c.ts"]],
    ]);
  });

  test("and none where all imports point one way", () => {
    expect(cycles(["src/one/a.ts", "src/one/b.ts"], ["src/one/b.ts", "src/c.ts"])).toEqual([
      ["src/one", []],
      ["src", []],
    ]);
  });
});
