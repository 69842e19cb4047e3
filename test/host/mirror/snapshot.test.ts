// Small things of which a snapshot must keep exactly as much as the engine does. Each stands for something
// that once made a late viewer's screen differ; `|` is where the late viewer comes.
import { expect, test } from "bun:test";
import { createTerminal } from "../../../src/host/mirror/terminal.ts";
import { createEmulator, engineModule, look } from "../support/emulator.ts";

interface Scene {
  before: string;
  after?: string;
  cols?: number;
  /** Changed before the late viewer comes, just after, or after everything. */
  resized?: ["first" | "then" | "last", number, number];
}

const ROWS = 8;

function play({ before, after = "", cols = 20, resized: [when, ...to] = ["last", cols, ROWS] }: Scene) {
  const early = createEmulator(cols, ROWS);
  const mirror = createTerminal({
    module: engineModule,
    cols,
    rows: ROWS,
    version: "test",
    theme: { foreground: "", background: "" },
    tell() {},
    answer() {},
  });
  const size: [number, number] = when === "first" ? to : [cols, ROWS];
  if (before !== "") early.write(Buffer.from(before));
  mirror.feed(Buffer.from(before));
  early.resize(...size);
  mirror.resize(...size);
  const late = createEmulator(...size);
  late.write(mirror.snapshot());
  for (const emulator of [early, late]) {
    if (when === "then") emulator.resize(...to);
    // Nothing to write is too little for the emulator.
    if (after !== "") emulator.write(Buffer.from(after));
    emulator.resize(...to);
  }
  return { early: look(early), late: look(late) };
}

const SCENES: Record<string, Scene> = {
  "a wide character that the character set in use does not have": { before: "\x1b(0日\x1b(Bx" },
  "emoji with joiners that were not joined": { before: "\x1b[?2027l👨‍👩‍👧x" },
  "a mark without width that is no part of a cluster": { before: "\x1b[?2027lhello\u200b, 語\u200b" },
  "a cluster that a resize brought to the end of a row": {
    before: "\x1b[10Ge\u0301",
    resized: ["first", 10, ROWS],
  },
  "a coloured gap before a wide character that did not fit": { before: "\x1b[3;44m\x1b[20G日" },
  "a cursor that waited to wrap when the screen became wider": {
    before: "\x1b[?7llorem ipsum dolor sit amet",
    resized: ["first", 28, ROWS],
  },
  "the other screen, left by another mode than it was entered by": {
    before: "\x1b[?47hother\x1b[?1049l",
    after: "\x1b[?47h",
  },
  "the other screen, entered by a mode that clears it": {
    before: "\x1b[?1049hother\x1b[?47l",
    after: "\x1b[?47h",
  },
  "the lost half of a wide character above one that was overwritten": {
    before: "\r\nx🎉\x1b[H\x1b[19G日本",
  },
  "a joint that a coloured scroll in a region undid": {
    before: "\x1b[3;5r\x1b[44m\x1b[5;19Habcdefg",
    resized: ["last", 29, ROWS],
  },
  "a joint that erasing above undid": {
    before: "lorem ipsum dolor sit amet\x1b[1J",
    after: "lorem ipsum dolor sit amet",
    resized: ["last", 40, ROWS],
  },
  "a last row that wrapped onto itself below the scrolling region": {
    before: "\x1b[1;3r\x1b[8;1Hlorem ipsum dolor sit amet\x1b[r",
    after: "\x1b[8;1H\nmore",
    resized: ["last", 40, ROWS],
  },
  "a saved cursor that protects what it prints": { before: '\x1b[1"q\x1b7\x1b[0"q', after: "\x1b8x\x1b[?2K" },
  "protection from every kind of erasing, with nothing protected yet": {
    before: "\x1bV",
    after: "hello\x1b[2K",
  },
  "a protected cell on a screen that has scrolled": { before: "\x1b[8;5H\x1bVx\x1bW\n", after: "\x1b[2J" },
  "protection next to a marked prompt": { before: "\x1b]133;B\x07\x1bVx\b", after: "\x1b[J" },
  "a saved pending wrap over a cell that has been erased since": {
    before: "\x1b[20Gx\x1b7\x1b[2K",
    after: "\x1b8y",
  },
  "a single shift that has not been used up": { before: "\x1b+0\x1bO", after: "qq" },
  "the other screen, entered twice with a coloured pen": { before: "\x1b[44m\x1b[?1049h\x1b[?47h" },
  "where the cursor was when mode 47 left the primary screen at the bottom": {
    before: `${"line\r\n".repeat(12)}last\x1b[?47hother`,
    after: "\x1b[?47l",
    resized: ["then", 20, 12],
  },
  "where the cursor was when mode 47 left the primary screen below all text": {
    before: "line\x1b[6;1H\x1b[?47hother",
    after: "\x1b[?47l",
    resized: ["then", 20, 3],
  },
  "the other screen, first entered after a resize": {
    before: "",
    after: "\x1b[?1047h",
    resized: ["then", 32, 9],
  },
  "a screen that was fully reset after the other one was used": {
    before: "e\u0301\x1b[?1047l\x1bc",
    after: "new",
  },
};

for (const [what, scene] of Object.entries(SCENES)) {
  test(`a late viewer gets ${what}`, () => {
    const { early, late } = play(scene);
    expect(late).toEqual(early);
  });
}

test("a snapshot clears a terminal that was in use", () => {
  const mirror = createTerminal({
    module: engineModule,
    cols: 20,
    rows: ROWS,
    version: "test",
    theme: { foreground: "", background: "" },
    tell() {},
    answer() {},
  });
  mirror.feed(Buffer.from("\x1b[31mnew and long enough to wrap"));
  const [used, fresh] = [createEmulator(20, ROWS), createEmulator(20, ROWS)];
  used.write(
    Buffer.from(
      "\x1b[2;4r\x1b[?6h\x1b(0old\x1b[3g\x1b[?1000;1006;2004h\x1b[?1049hother\x1b[44m\x1b[4;20h\x1b[?7l",
    ),
  );
  for (const emulator of [used, fresh]) emulator.write(mirror.snapshot());
  expect(look(used)).toEqual(look(fresh));
  for (const emulator of [used, fresh]) emulator.resize(30, ROWS);
  expect(look(used)).toEqual(look(fresh));
  for (const emulator of [used, fresh]) emulator.write(Buffer.from("\tqx\x1b[3;1H\n\n\n\n\n\n\n\nlast"));
  expect(look(used)).toEqual(look(fresh));
});
