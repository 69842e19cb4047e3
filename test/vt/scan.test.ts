import { expect, test } from "bun:test";
import { Scanner } from "../../src/vt/scan.ts";

/** Counts the bytes that are looked at in search of one. */
function counting(text: string) {
  let work = 0;
  class Counted extends Uint8Array<ArrayBuffer> {
    override indexOf(byte: number, from = 0): number {
      const at = super.indexOf(byte, from);
      work += (at < 0 ? this.length : at) - from;
      return at;
    }
  }
  return { bytes: Counted.from(Buffer.from(text)), work: () => work };
}

function scan(text: string) {
  const { bytes, work } = counting(text);
  let bells = 0;
  const scanner = new Scanner({
    pass() {},
    sequence: () => "pass",
    ask() {},
    bell: () => void bells++,
    linesKept: () => 1_000,
  });
  scanner.feed(bytes);
  return { work: work(), bells, length: bytes.length };
}

test.each([
  ["colours", "\x1b[32mok\x1b[0m a line\r\n"],
  ["colours without an end of line", "\x1b[32mok\x1b[0m "],
  ["moves of the cursor", "\x1b[5;7Hhere\x1b[K"],
  ["sequences that never end", "\x1b["],
  ["titles", "\x1b]2;a title\x1b\\text"],
  ["lone escapes", "\x1b"],
])("500 KB of %s are searched once, not once for each of them", (_name, unit) => {
  const { work, length } = scan(unit.repeat(Math.ceil(500_000 / unit.length)));
  expect(work).toBeLessThan(4 * length);
});

test("bells are heard, each between two sequences, and none at the end of a title", () => {
  expect(scan("a\x07b\x1b[1mc\x1b[Kd\x07\x1b]2;title\x07e").bells).toBe(2);
});
