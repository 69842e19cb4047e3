import { expect, test } from "bun:test";
import { quoteForShell } from "../../../src/client/terminal/shell-quote.ts";

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
