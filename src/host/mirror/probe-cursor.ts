// Finds out about the cursor of a copy of the engine: where it is, its pen, and its character sets. Every question
// changes the copy.
import type { Engine } from "../../vt/engine.ts";
import { readGrid } from "./grid.ts";

/** What DECSC saves and DECRC restores, and what the current cursor has. */
export interface Cursor {
  x: number;
  y: number;
  /** A character was printed in the last column, so the next one goes to the next line. */
  pendingWrap: boolean;
  pen: string;
  origin: boolean;
  /** Final bytes of the designated sets G0 to G3, and which of them is in use. */
  charsets: string[];
  charset: number;
  /** Whether what it prints is protected from selective erase. */
  protects: boolean;
}

const SAVE = "\x1b7";
export const RESTORE = "\x1b8";
const LOCKING_SHIFTS = ["\x0f", "\x0e", "\x1bn", "\x1bo"];
export const DESIGNATORS = ["(", ")", "*", "+"];

export const say = (engine: Engine, text: string) => engine.write(Buffer.from(text));

/** Prints a q at the cursor, which shows the pen and whether a wrap was pending. */
function probePen(copy: Engine) {
  const before = copy.cursor();
  say(copy, "\x1b[?7h\x1b[4l\x1b[?2027lq");
  const after = copy.cursor();
  const pendingWrap = after.x < before.x;
  const grid = readGrid(copy);
  const at = pendingWrap ? after.y * grid.cols + after.x - 1 : before.y * grid.cols + before.x;
  return { ...before, pendingWrap, pen: grid.pen(at) };
}

const codepointsAtHome = (copy: Engine): [number, number] => {
  say(copy, "\x1b[H");
  const { x, y } = copy.cursor();
  say(copy, "q#");
  const grid = readGrid(copy);
  return [grid.codepoint(y * grid.cols + x), grid.codepoint(y * grid.cols + x + 1)];
};

function probeCharsets(copy: Engine): string[] {
  return LOCKING_SHIFTS.map((shift) => {
    say(copy, shift);
    const [q, hash] = codepointsAtHome(copy);
    if (q === 0x2500) return "0";
    return hash === 0xa3 ? "A" : "B";
  });
}

/** Redesignates one set after the other until the printed character changes. DECRC undoes that. */
function probeCharsetInUse(copy: Engine): number {
  say(copy, SAVE);
  const follows = DESIGNATORS.findIndex((designator) => {
    say(copy, `\x1b${designator}0`);
    const [drawn] = codepointsAtHome(copy);
    say(copy, `\x1b${designator}B`);
    const [plain] = codepointsAtHome(copy);
    return drawn !== plain;
  });
  say(copy, RESTORE);
  return Math.max(follows, 0);
}

/** Whether the next character, but not the one after it, is taken from this set. */
export function probeSingleShift(copy: Engine, set: number): boolean {
  const sets = DESIGNATORS.map((designator, i) => `\x1b${designator}${i === set ? "0" : "B"}`).join("");
  say(copy, `\x1b[?69l\x1b[r\x1b[?6l\x1b[4l\x1b[?7h${sets}\x0f\x1b[Hqq`);
  const grid = readGrid(copy);
  return grid.codepoint(0) === 0x2500 && grid.codepoint(1) === 0x71;
}

/** Everything about this copy's cursor. Afterwards it is somewhere else, and what DECSC saved is lost. */
export function probeCursor(copy: Engine): Omit<Cursor, "protects"> {
  const origin = copy.mode(6);
  const pen = probePen(copy);
  const charset = probeCharsetInUse(copy);
  return { ...pen, origin, charset, charsets: probeCharsets(copy) };
}
