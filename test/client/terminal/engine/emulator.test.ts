import { expect, test } from "bun:test";
import { trackLine } from "../../../../src/client/terminal/engine/line-shift.ts";
import { findMatches } from "../../../../src/client/terminal/links-and-find/find.ts";
import { Selection } from "../../../../src/client/terminal/screen/selection.ts";
import { brokenEngine } from "../../../host/support/engine.ts";
import { open } from "../support/emulator.ts";

test("titles come from the bytes however they are cut, and only a real bell rings", () => {
  const { write, heard } = open();
  for (const part of ["\x1b]0;caf\xe9", " one\x07", "\x1b]2;two\x1b", "\\", "a\x07b"]) write(part);
  expect(heard).toEqual(["title café one", "title two", "bell"]);
});

test("finding goes over the ends of rows, through wide characters and the history", () => {
  const { emulator, write } = open(10, 3);
  write(`abcdefgh needle\r\n日本needle語\r\n${"\r\n".repeat(10)}Needle`);
  expect(findMatches(emulator, "needle")).toHaveLength(3);
  expect(findMatches(emulator, "Needle")).toHaveLength(1);
  expect(findMatches(emulator, "needle")[0]).toEqual([
    { line: 0, start: 9, end: 10 },
    { line: 1, start: 0, end: 5 },
  ]);
  expect(findMatches(emulator, "本needle語")[0]).toEqual([
    { line: 2, start: 2, end: 10 },
    { line: 3, start: 0, end: 2 },
  ]);
});

test("marking by words and lines, backwards too", () => {
  const { emulator, write } = open(20, 6);
  write("one two/three four\r\nfive six");
  const selection = new Selection(emulator);
  selection.start({ line: 0, col: 6 }, "word");
  expect(selection.text()).toBe("two/three");
  selection.extend({ line: 1, col: 1 });
  expect(selection.text()).toBe("two/three four\nfive");
  selection.extend({ line: 0, col: 1 });
  expect(selection.text()).toBe("one two/three");
  selection.start({ line: 1, col: 3 }, "line");
  expect(selection.text()).toBe("five six");
  selection.start({ line: 1, col: 3 }, "character");
  expect(selection.isEmpty).toBe(true);
});

test("in the history rules, frames and padded rows stay lines of their own, and what was wrapped is one", () => {
  const { emulator, write } = open(20, 3);
  const copied = [
    "=".repeat(20),
    "a heading",
    "─".repeat(20),
    "│ framed           │",
    "padded with blanks",
    "exactly twenty wide.",
    "  and indented",
    "wrapped between two words",
    "wrapped within one-word and another",
  ];
  const printed = copied.with(4, "padded with blanks".padEnd(20));
  write(`${printed.join("\r\n")}${"\r\n".repeat(5)}`);
  const selection = new Selection(emulator);
  selection.selectAll();
  expect(selection.text().trimEnd().split("\n")).toEqual(copied);
  expect(findMatches(emulator, "two words")).toHaveLength(1);
  expect(findMatches(emulator, "====a")).toHaveLength(0);
});

test("a place in the history is found again however many of the oldest lines are dropped, until it is dropped too", () => {
  const { emulator, write } = open(80, 24);
  let printed = 0;
  const print = (count: number) =>
    write(Array.from({ length: count }, () => `row ${++printed}\r\n`).join(""));
  print(12_000);
  const selection = new Selection(emulator);
  selection.start({ line: emulator.historyLength() - 100, col: 6 }, "line");
  const text = selection.text();
  expect(text).toBe("row 11878");
  let moved = 0;
  const printAround = (count: number) => {
    const [, end] = selection.ends;
    const find = trackLine(emulator, end?.line ?? 0);
    print(count);
    const by = find();
    moved += by ?? 0;
    selection.moveUp(by ?? Number.POSITIVE_INFINITY);
  };
  for (const count of [1, 100, 700, 3, 1_400, 2_000]) {
    printAround(count);
    expect(selection.text()).toBe(text);
  }
  expect(moved).toBeGreaterThan(2_000);
  for (let i = 0; i < 8; i++) printAround(1_000);
  expect(selection.isEmpty).toBe(true);
});

test("an engine that traps is told of once, and a new one is made for what comes", () => {
  const { emulator, write, heard } = open(
    40,
    6,
    new WebAssembly.Module(brokenEngine("trap") as Uint8Array<ArrayBuffer>),
  );
  write("text");
  write("more");
  expect(heard).toEqual(["failure"]);
  expect(emulator.hasFailed).toBe(true);
  expect(emulator.text()).toBe("");
  emulator.clear({ cols: 20, rows: 5 });
  expect(emulator.hasFailed).toBe(false);
});

test("20,000 families of emoji end in a failure that is told, not in a dead page", () => {
  const { emulator, write, heard } = open(80, 24);
  for (let i = 0; i < 1_000; i++) write(`${"👨‍👩‍👧‍👦".repeat(20)}\r\n`);
  expect(heard).toEqual(["failure"]);
  emulator.clear({ cols: 80, rows: 24 });
  write("fine");
  expect(emulator.text().trim()).toBe("fine");
});

test("what the program asks for is remembered: keyboard, cursor, colours, synchronised updates", () => {
  const { emulator, write } = open();
  write("\x1b[>5u\x1b[6 q\x1b]11;rgb:ffff/0000/0000\x07\x1b[?2026h");
  expect([
    emulator.keyboardFlags,
    emulator.cursorShape,
    emulator.colour("11"),
    emulator.isSynchronised,
  ]).toEqual([5, 6, "rgb:ffff/0000/0000", true]);
  write("\x1b[?1049h");
  expect(emulator.keyboardFlags).toBe(0);
  write("\x1b[?1049l\x1b[<u\x1b[?2026l");
  expect([emulator.keyboardFlags, emulator.isSynchronised]).toEqual([0, false]);
});
