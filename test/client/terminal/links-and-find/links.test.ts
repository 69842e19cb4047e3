import { expect, test } from "bun:test";
import { findAddresses, linkAt, safeAddress } from "../../../../src/client/terminal/links-and-find/links.ts";
import { countCopies, open } from "../support/emulator.ts";

const link = (address: string, text: string) => `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`;

test("hyperlinks never reach the engine, and their cells are known all the same", () => {
  const { emulator, write } = open();
  write(`see ${link("https://example.com/1", "one")} and ${link("https://example.com/2", "two")}`);
  expect(emulator.text().split("\n")[0]).toBe("see one and two");
  expect([3, 4, 6, 7, 12, 14, 15].map((col) => emulator.hyperlink(0, col)?.address)).toEqual([
    undefined,
    "https://example.com/1",
    "https://example.com/1",
    undefined,
    "https://example.com/2",
    "https://example.com/2",
    undefined,
  ]);
});

test("a hyperlink goes with its text: over the end of a row, into the history, away when overwritten", () => {
  const { emulator, write } = open(10, 3);
  write(`\r\n12345678${link("https://example.com/long", "abcdef")}\r\n`);
  expect(emulator.hyperlink(1, 8)?.address).toBe("https://example.com/long");
  expect(emulator.hyperlink(2, 3)?.address).toBe("https://example.com/long");
  write("\r\n".repeat(20));
  expect(emulator.hyperlink(1, 8)?.address).toBe("https://example.com/long");
  write(`\x1b[H${link("https://example.com/x", "here")}`);
  const top = emulator.historyLength();
  expect(emulator.hyperlink(top, 0)?.address).toBe("https://example.com/x");
  write("\x1b[Hgone");
  expect(emulator.hyperlink(top, 0)).toBeUndefined();
});

test("hyperlinks keep their places when the oldest lines are dropped, and through another width", () => {
  const { emulator, write } = open(80, 24);
  write("plain\r\n".repeat(9_000));
  for (let i = 0; i < 1_500; i++) write(`${link(`https://example.com/${i}`, "view")} entry ${i}\r\n`);
  const top = emulator.historyLength();
  expect(top).toBeLessThan(10_000); // some are gone
  const addressOf = (line: number) => emulator.hyperlink(line, 1)?.address;
  const number = (line: number) => /entry (\d+)/.exec(emulator.lines(line, 1).text(0))?.[1];
  for (const line of [top, top - 100, top - 1_000]) {
    expect(addressOf(line)).toBe(`https://example.com/${number(line)}`);
  }
  emulator.resize({ cols: 100, rows: 30 });
  const screen = emulator.historyLength();
  expect(addressOf(screen)).toBe(`https://example.com/${number(screen)}`);
});

test("links of plain text are noted without reading the screen, wrapped or not, however they are ended", () => {
  using copies = countCopies();
  const { emulator, write } = open(20, 6);
  const wrapped = `\x1b[4mGrüße, ${"x".repeat(30)}\x1b[m`;
  for (const end of ["\x07", "\x1b\\"]) write(`\x1b]8;;https://a.b/${end}${wrapped}\x1b]8;;${end}\r\n`);
  expect(copies).toMatchObject({ screens: 0, lines: 0 });
  const covered = (line: number) => linkAt(emulator, { line, col: 3 })?.spans;
  expect([0, 1, 2, 3].map(covered)).toEqual([
    [{ line: 0, start: 0, end: 20 }],
    [{ line: 1, start: 0, end: 17 }],
    [{ line: 2, start: 0, end: 20 }],
    [{ line: 3, start: 0, end: 17 }],
  ]);
  expect(copies.screens).toBe(16); // only when it is pointed at: its row, its text, and the rows beside it
});

test("what a link covers is read in one go, wide characters and moves of the cursor included", () => {
  using copies = countCopies();
  const { emulator, write } = open(20, 6);
  write(`${link("https://a.b/", "日本\r\n語")}!`);
  expect(copies.screens).toBe(1);
  expect([0, 1].map((line) => emulator.hyperlink(line, 0))).toEqual([
    { address: "https://a.b/", start: 0, end: 20 },
    { address: "https://a.b/", start: 0, end: 2 },
  ]);
  expect(emulator.lines(emulator.historyLength() + 6, 10).count).toBe(0);
  expect(copies.screens).toBe(3);
});

test("however links are printed, little is read for them", () => {
  using copies = countCopies();
  const { write } = open(200, 60);
  const overAll = "\x1b[H\x1b]8;;a\x07\x1b[60H\x1b]8;;\x07";
  write(overAll.repeat(1_000));
  expect(copies.screens).toBeLessThan(30);
  const thrownAway = `${"\n".repeat(4_000)}${link("http://a/", "x")}\x1b[3J\x1b]8;;\x07`;
  write(thrownAway.repeat(10));
  expect(copies.screens).toBeLessThan(60);
  // The history is full, and what is looked for in it has been overwritten.
  const lost = `${link("http://a/", "日")}\r   ${"\n".repeat(600)}`;
  write(lost.repeat(100));
  expect(copies.lines).toBeLessThan(6_000);
});

test("links on the screen stay when the history above them is thrown away", () => {
  const { emulator, write } = open(80, 24);
  write("plain\r\n".repeat(6_000));
  for (let i = 0; i < 10; i++) write(`${link(`https://a.b/${i}`, `entry ${i}`)}\r\n`);
  write("\x1b[3J");
  expect(emulator.historyLength()).toBe(0);
  expect(emulator.hyperlink(22, 0)?.address).toBe("https://a.b/9");
  expect(emulator.hyperlink(13, 0)?.address).toBe("https://a.b/0");
});

test("only what a browser opens without doing anything is a link", () => {
  const { emulator, write } = open(80, 6);
  write(
    `${link("javascript:alert(1)", "evil")} ${link("file:///etc/passwd", "file")} ${link("https://ok.example", "fine")}`,
  );
  expect([0, 6, 11].map((col) => linkAt(emulator, { line: 0, col })?.address)).toEqual([
    undefined,
    undefined,
    "https://ok.example/",
  ]);
  expect(
    ["http://a", "mailto:a@b.c", "ftp://a", "data:text/html,x", "vscode://x", "no"].map(safeAddress),
  ).toEqual(["http://a/", "mailto:a@b.c", undefined, undefined, undefined, undefined]);
});

test("a link whose text names another host says which, also where it was wrapped", () => {
  const { emulator, write } = open(20, 6);
  write(`${link("https://evil.example/", "go to https://github.com/banto now")}\r\n`);
  write(`${link("https://github.com/banto", "github.com")} https://a.bc@evil.example/`);
  const claims = (line: number, col: number) => linkAt(emulator, { line, col })?.claims;
  expect([claims(0, 3), claims(1, 2), claims(2, 3), claims(2, 15)]).toEqual([
    "github.com",
    "github.com",
    undefined,
    "a.bc",
  ]);
});

test("addresses end where the sentence goes on", () => {
  const found = (text: string) => findAddresses(text).map((address) => address.text);
  expect(found("see https://a.b/c, or (http://d.e/f_(g)). mailto:x@y.z!")).toEqual([
    "https://a.b/c",
    "http://d.e/f_(g)",
    "mailto:x@y.z",
  ]);
  expect(found("http://a.b/((c)d)).")).toEqual(["http://a.b/((c)d)"]);
  expect(found('"https://a.b/?q=1&r=[2]" │https://c.d│')).toEqual(["https://a.b/?q=1&r=[2]", "https://c.d"]);
});

test("an address that was wrapped is one link", () => {
  const { emulator, write } = open(20, 6);
  write("go https://example.com/a/long/path x");
  const found = linkAt(emulator, { line: 1, col: 3 });
  expect(found?.address).toBe("https://example.com/a/long/path");
  expect(found?.spans).toEqual([
    { line: 0, start: 3, end: 20 },
    { line: 1, start: 0, end: 14 },
  ]);
});
