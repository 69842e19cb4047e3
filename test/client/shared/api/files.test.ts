import { expect, test } from "bun:test";
import { quoteForShell } from "../../../../src/client/shared/api/shell-quote.ts";
import { filesOf } from "../../../../src/client/shared/ui/transferred-files.ts";

test.each([
  ["/home/me/.local/share/banto/files/0a/1b-image.png", "/home/me/.local/share/banto/files/0a/1b-image.png"],
  ["/data/日本/é.txt", "/data/日本/é.txt"],
  ["/my data/x", "'/my data/x'"],
  ["/it's/x", "'/it'\\''s/x'"],
  ["/$HOME/`x`/\\", "'/$HOME/`x`/\\'"],
  ["/~x/a;b&c|d", "'/~x/a;b&c|d'"],
  ["", "''"],
])("%j is typed as %j", (path, word) => {
  expect(quoteForShell(path)).toBe(word);
});

test("a shell takes every one of them for a single word, and for the same", async () => {
  for (const path of [
    "/a b",
    "/it's",
    '/"x"',
    "/$(id)",
    "/`id`",
    "/a\\b",
    "/*",
    "/!x",
    "/日本 語",
    "/#x",
    "/{a,b}",
  ]) {
    const { stdout } = Bun.spawnSync(["bash", "-c", `printf '%s|' ${quoteForShell(path)}`]);
    expect(stdout.toString()).toBe(`${path}|`);
  }
});

test("files count unless they only picture the text that comes with them", () => {
  const names = (text: string, ...files: string[]) =>
    filesOf({
      files: files.map((name) => ({ name })),
      getData: () => text,
    } as unknown as DataTransfer).map(({ name }) => name);
  expect(names("", "image.png")).toEqual(["image.png"]);
  expect(names("text")).toEqual([]);
  expect(names("a\tb", "image.png")).toEqual([]);
  // File managers bring the names, or the paths, of what they copy.
  expect(names("a.txt\nb c.txt", "a.txt", "b c.txt")).toEqual(["a.txt", "b c.txt"]);
  expect(names("/home/me/a.txt", "a.txt")).toEqual(["a.txt"]);
  expect(filesOf(null)).toEqual([]);
});
