import { expect, test } from "bun:test";
import fc from "fast-check";
import { safeFileName } from "../../../src/server/files/file-name.ts";

test.each([
  ["screenshot.png", "screenshot.png"],
  ["Screenshot 2026-11-17 at 10.31.07.png", "Screenshot-2026-11-17-at-10.31.07.png"],
  ["日本語 メモ.txt", "日本語-メモ.txt"],
  ["e\u0301.txt", "é.txt"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\me\\a b.docx", "a-b.docx"],
  ["..", "file"],
  [".bashrc", "file.bashrc"],
  ["-rf", "rf"],
  ["", "file"],
  ["$(reboot).sh", "reboot.sh"],
  ["a'b\"c`d;e&f|g.png", "a-b-c-d-e-f-g.png"],
  ["new\nline\x1b[31m\x07.txt", "new-line-31m.txt"],
  ["photo\u202egnp.exe", "photo-gnp.exe"],
  ["🎉.gif", "file.gif"],
  ["archive.tar.gz", "archive.tar.gz"],
])("%j becomes %j", (given, name) => {
  expect(safeFileName(given)).toBe(name);
});

test("a long name keeps its ending", () => {
  expect(safeFileName(`${"語".repeat(300)}.png`)).toBe(`${"語".repeat(38)}.png`);
});

test("whatever it is called, it is one part of a path that a shell takes as it is", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" })), (given) => {
      const name = safeFileName(given);
      expect(name).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}\p{M}._-]*$/u);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(124);
      expect(safeFileName(name)).toBe(name);
    }),
    { numRuns: 2_000 },
  );
});
