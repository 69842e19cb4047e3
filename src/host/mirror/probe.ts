// The engine shows cells, cursor and modes, but not the pen, the margins, the character sets, the
// saved cursor and the rest of what later output depends on. All of it can still be known: a copy
// of the engine is made, and the copy is asked by doing something to it and looking at the result.
import type { Engine } from "./engine.ts";
import { type Grid, readGrid } from "./grid.ts";

/** What DECSC saves and DECRC brings back, and what the current cursor carries. */
export interface Cursor {
  x: number;
  y: number;
  /** A character was printed in the last column; the next one goes to the next line. */
  pendingWrap: boolean;
  pen: string;
  origin: boolean;
  /** Final bytes of the designated sets G0 to G3, and which of them is in use. */
  charsets: string[];
  charset: number;
}

export interface Margins {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

const LOCKING_SHIFTS = ["\x0f", "\x0e", "\x1bn", "\x1bo"];
export const DESIGNATORS = ["(", ")", "*", "+"];

export const say = (engine: Engine, text: string) => engine.write(Buffer.from(text));

/** Prints a q where the cursor is and learns the pen and whether a wrap was pending. */
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

/** Redesignates one set after the other until the printed character follows. Spoils the sets. */
function probeCharsetInUse(copy: Engine): number {
  const follows = DESIGNATORS.findIndex((designator) => {
    say(copy, `\x1b${designator}0`);
    const [drawn] = codepointsAtHome(copy);
    say(copy, `\x1b${designator}B`);
    const [plain] = codepointsAtHome(copy);
    return drawn !== plain;
  });
  return Math.max(follows, 0);
}

function probeMargins(copy: Engine): Margins {
  say(copy, "\x1b[?6h\x1b[H");
  const { x: left, y: top } = copy.cursor();
  say(copy, "\x1b[999;999H");
  const { x: right, y: bottom } = copy.cursor();
  return { top, bottom, left, right };
}

function probeTabStops(copy: Engine): number[] {
  say(copy, "\x1b[?6l\x1b[?69l\x1b[H");
  const stops: number[] = [];
  const last = copy.size().cols - 1;
  for (let x = 0; x < last; ) {
    say(copy, "\t");
    x = copy.cursor().x;
    if (x < last) stops.push(x);
  }
  return stops;
}

/** REP repeats the last printed character, which may no longer be anywhere on the screen. */
function probeLastPrinted(copy: Engine): string | undefined {
  say(copy, "\x1b[?69l\x1b[r\x1b[?6l\x1b[4l\x1b(B\x0f\x1b[H\x1b[2K\x1b[b");
  const codepoint = readGrid(copy).codepoint(0);
  return codepoint === 0 ? undefined : String.fromCodePoint(codepoint);
}

function probeCursor(engine: Engine, scratch: Engine, prepare: string): Cursor {
  scratch.copyFrom(engine);
  say(scratch, prepare);
  const origin = scratch.mode(6);
  const pen = probePen(scratch);
  const charsets = probeCharsets(scratch);
  scratch.copyFrom(engine);
  say(scratch, prepare);
  return { ...pen, origin, charsets, charset: probeCharsetInUse(scratch) };
}

export interface ScreenState {
  grid: Grid;
  saved: Cursor;
}

export interface State {
  active: ScreenState;
  cursor: Cursor;
  margins: Margins;
  tabStops: number[];
  lastPrinted: string | undefined;
  /** The screen that is not shown, and the primary one's history, oldest line first. */
  hidden: ScreenState;
  history: Grid;
  historyRows: number;
}

const RESTORE = "\x1b8";

export function probe(engine: Engine, scratch: Engine, historyLimit: number): State {
  const alternate = engine.isAlternate();
  const cursor = probeCursor(engine, scratch, "");

  scratch.copyFrom(engine);
  const margins = probeMargins(scratch);
  const tabStops = probeTabStops(scratch);
  scratch.copyFrom(engine);
  const lastPrinted = probeLastPrinted(scratch);

  // Leaving by 1049 restores the primary screen's saved cursor; 47 changes nothing but the screen.
  const toHidden = alternate ? "\x1b[?1049l" : "\x1b[?47h";
  scratch.copyFrom(engine);
  say(scratch, toHidden);
  const hiddenGrid = readGrid(scratch);
  const hiddenSaved = probeCursor(engine, scratch, toHidden + RESTORE);

  // History rows tell whether they were wrapped only once they are on the screen: grow the copy.
  scratch.copyFrom(engine);
  if (alternate) say(scratch, toHidden);
  const { cols, rows } = scratch.size();
  const historyRows = Math.min(scratch.scrollbackLength(), historyLimit);
  say(scratch, "\x1b[?69l\x1b[r\x1b[?6l\x1b[999;1H");
  if (historyRows > 0) scratch.resize(cols, rows + historyRows);
  const history = readGrid(scratch);

  return {
    active: { grid: readGrid(engine), saved: probeCursor(engine, scratch, RESTORE) },
    cursor,
    margins,
    tabStops,
    lastPrinted,
    hidden: { grid: hiddenGrid, saved: hiddenSaved },
    history,
    historyRows,
  };
}
