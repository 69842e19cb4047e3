// Most lines of a flood are left out before the engine; nobody may be able to tell.
import { expect, test } from "bun:test";
import { Emulator } from "../../src/client/terminal/engine/emulator.ts";
import { createTerminal } from "../../src/host/mirror/terminal.ts";
import { createEngine } from "../../src/vt/engine.ts";
import { lostLines, mostLines } from "../../src/vt/flood.ts";
import { engineModule } from "../host/support/emulator.ts";
import { random } from "../host/support/score.ts";
import { DEPTH } from "../support/depth.ts";

const ROWS = 12;
/** Too short for anything to be left out. */
const SHORT = 4_096;

const mirror = (cols: number) =>
  createTerminal({
    module: engineModule,
    cols,
    rows: ROWS,
    version: "test",
    theme: { foreground: "", background: "" },
    tell() {},
    answer() {},
  });

/** The whole state of the terminal, after the bytes have come in pieces of such a length. */
function stateAfter(bytes: Uint8Array, length: number, cols: number): string {
  const terminal = mirror(cols);
  for (let at = 0; at < bytes.length; at += length) terminal.feed(bytes.subarray(at, at + length));
  return Buffer.from(terminal.snapshot()).toString("latin1");
}

/** Narrow enough that there is always more history than a snapshot takes: how much more depends on chance. */
function expectSame(text: string, cols = 40): void {
  const bytes = Buffer.from(text);
  const inOne = stateAfter(bytes, bytes.length, cols);
  const inPieces = stateAfter(bytes, SHORT, cols);
  if (inOne === inPieces) return;
  const at = [...inOne].findIndex((character, i) => character !== inPieces[i]);
  const around = (state: string) => state.slice(Math.max(0, at - 40), at + 80);
  expect(around(inOne)).toBe(around(inPieces));
}

const lines = (count: number, line = (i: number) => `${i}\r\n`) =>
  Array.from({ length: count }, (_, i) => line(i)).join("");

test("what is left out is everything but the last lines, and the colours in force there are said", () => {
  const text = "\x1b[1mzero\r\n\x1b[0;31mone\r\n\x1b[4mtwo\r\nthree\r\nfour\r\n";
  const bytes = Buffer.from(text);
  const cut = lostLines(bytes, 0, bytes.length, 2);
  expect(text.slice(cut?.start, cut?.end)).toEndWith("two");
  expect(cut?.colours.map((colour) => Buffer.from(colour).toString())).toEqual(["\x1b[0;31m", "\x1b[4m"]);
  expect(lostLines(bytes, 0, bytes.length, 5)).toBeUndefined();
  expect(lostLines(bytes, 0, bytes.length, Number.POSITIVE_INFINITY)).toBeUndefined();
});

test("the engine never holds more lines than are kept", () => {
  for (const scrollback of [1_000_000, 10_000_000]) {
    for (const cols of [2, 20, 80, 171, 500]) {
      for (const rows of [1, 24, 300]) {
        const size = { cols, rows };
        const options = { foreground: 1, background: 2, palette: [] };
        const engine = createEngine(engineModule, { ...size, scrollback, ...options });
        const limit = mostLines(scrollback, size);
        const some = Buffer.from("x\r\n".repeat(Math.ceil(limit / 20)));
        for (let i = 0; i < 30; i++) {
          engine.write(some);
          expect(engine.scrollbackLength() + rows).toBeLessThan(limit);
        }
      }
    }
  }
});

const BEFORE: Record<string, string> = {
  "nothing special": "",
  "the cursor in the middle of a full screen": `${lines(20)}\x1b[5;7H`,
  "a wrap that is pending": "x".repeat(40),
  "insert mode": "\x1b[4h",
  "no wrapping": "\x1b[?7l",
  "a line feed that returns too": "\x1b[20h",
  "the other screen": "\x1b[?1049h",
  "the other screen with marks of long lines": `\x1b[?1049h${lines(100, () => `${"x".repeat(90)}\n`)}`,
  "line drawing": "\x1b(0",
  "a background": "\x1b[44;1m",
  "a prompt": "\x1b]133;A\x07$ \x1b]133;B\x07seq\r\n\x1b]133;C\x07",
  "half a character": "\xe2\x94",
  "other tab stops": "\x1b[3g\x1b[1;9H\x1bH",
  "a saved cursor": "\x1b[3;4H\x1b7\x1b[H",
};
const FLOODS: Record<string, string> = {
  numbers: lines(4_000),
  "long lines": lines(4_000, (i) => `${i} ${"word ".repeat(i % 40)}\r\n`),
  "lines without a return": lines(4_000, (i) => `${i}\n`),
  colours: lines(3_500, (i) => `\x1b[3${i % 8}m${i}\x1b[${i % 3 ? 0 : 1}m ok\r\n`),
  "colours that are never reset": lines(3_500, (i) => `\x1b[${30 + (i % 20)}m${i}\r\n`),
  "wide and composed characters": lines(3_500, (i) => `日本 \u{1f389} ${i % 50 ? "" : "e\u0301"} ${i}\r\n`),
  "lines some of which return": lines(4_000, (i) => (i % 7 ? `${i}\n` : `${i}\r\n`)),
  tabs: lines(3_500, (i) => `a\tb\t${i}\r\n`),
  "a backspace in the middle": `${lines(3_500)}ab\bc\r\n${lines(3_500)}`,
  "the cursor moved in the middle": `${lines(3_500)}\x1b[3;3H${lines(3_500)}`,
  "margins set in the middle": `${lines(3_500)}\x1b[3;6r${lines(3_500)}`,
  "margins set above the cursor": `${lines(3_500)}\x1b[2;4r\x1b[9;1H${lines(3_500)}`,
  "margins set and taken away": `\x1b[3;6r${lines(3_500)}\x1b[r${lines(3_500)}`,
  "margins as large as the screen": `\x1b[1;${ROWS}r${lines(3_500)}`,
  "margins at the sides": `\x1b[?69h\x1b[5;30s${lines(3_500)}`,
  "a title in the middle": `${lines(3_500)}\x1b]0;title\x07${lines(3_500)}`,
  "a colour with a line feed in it": `${lines(4_000)}\x1b[3\n1m${lines(4_000)}`,
  "an end in the middle of a line": `${lines(4_000)}almost`,
};

for (const [turn, [flood, text]] of Object.entries(FLOODS).entries()) {
  const before = Object.values(BEFORE).filter((_, i) => DEPTH.everyFloodInEveryState || (i + turn) % 4 === 0);
  test(`a flood of ${flood} leaves what it would have left`, () => {
    for (const state of before) expectSame(`${state}${text}\x1b[?2004h$ `);
  });
}

test("the same with whatever else, at random", () => {
  const pieces = [
    ...Object.values(BEFORE),
    "\x1b[5A",
    "\x1b[2J",
    "\x1b[H",
    "\x1b[?6h",
    "\x1b[2;9r",
    "\x1b[r",
  ];
  for (let seed = 1; seed <= DEPTH.floodsAtRandom; seed++) {
    const next = random(seed);
    const pick = <T>(some: readonly T[]) => some[Math.floor(next() * some.length)] as T;
    const text = Array.from({ length: 6 }, () => pick(pieces) + pick(Object.values(FLOODS)));
    expectSame(text.join(""), 20 + Math.floor(next() * 20));
  }
});

test("the page's history is as long as ever, and its end the same", () => {
  const open = () => {
    const events = { onTitle() {}, onBell() {}, onColours() {}, onFailure() {} };
    return new Emulator(engineModule, { cols: 80, rows: 24 }, events);
  };
  const bytes = Buffer.from(lines(60_000, (i) => `line ${i}\r\n`));
  const [whole, pieces] = [open(), open()];
  whole.write(bytes);
  for (let at = 0; at < bytes.length; at += SHORT) pieces.write(bytes.subarray(at, at + SHORT));
  const last = (emulator: Emulator) => {
    const from = emulator.historyLength() - 9_000;
    const read = emulator.lines(from, 9_024);
    return Array.from({ length: read.count }, (_, row) => read.text(row).trimEnd()).join("\n");
  };
  expect(last(whole)).toBe(last(pieces));
  expect(last(whole)).toEndWith("line 59999\n");
});
