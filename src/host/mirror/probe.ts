// The engine shows cells, cursor and modes, but not the pen, the margins, the character sets, the
// saved cursor and the rest of what later output depends on. All of it can still be known: a copy
// of the engine is made, and the copy is asked by doing something to it and looking at the result.
import type { Engine } from "./engine.ts";
import { type Grid, readGrid, readHistory } from "./grid.ts";

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

interface Margins {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

const SAVE = "\x1b7";
const RESTORE = "\x1b8";
const LOCKING_SHIFTS = ["\x0f", "\x0e", "\x1bn", "\x1bo"];
export const DESIGNATORS = ["(", ")", "*", "+"];

const say = (engine: Engine, text: string) => engine.write(Buffer.from(text));

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

/** Redesignates one set after the other until the printed character follows; DECRC repairs that. */
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

/**
 * Past some ten thousand composed emoji the engine goes on without complaint but prints nothing any
 * more. Somebody has to notice; the mirror is then started anew.
 */
export function stillPrints(copy: Engine): boolean {
  say(copy, "\x1bcq");
  return readGrid(copy).codepoint(0) === 0x71;
}

/** Everything about the cursor as it is on this copy; leaves it somewhere else, and DECSC spoiled. */
function probeCursor(copy: Engine): Cursor {
  const origin = copy.mode(6);
  const pen = probePen(copy);
  const charset = probeCharsetInUse(copy);
  return { ...pen, origin, charset, charsets: probeCharsets(copy) };
}

/** Selective erase (DECSED) spares protected cells: what is left of a filled screen is protected. */
function probeProtection(copy: Engine): Protection {
  const plain = readGrid(copy);
  say(copy, "\x1b[?2J");
  const spared = readGrid(copy);
  const cells = new Set<number>();
  for (let i = 0; i < plain.cols * plain.rows; i++) if (!spared.isBlank(i)) cells.add(i);
  // With ISO protection even an ordinary erase spares them.
  say(copy, "\x1b[2J");
  const stillThere = readGrid(copy);
  return { cells, iso: [...cells].some((i) => !stillThere.isBlank(i)) };
}

/** Does the pen protect what it prints? */
function probePenProtection(copy: Engine): boolean {
  say(copy, "\x1b[?69l\x1b[r\x1b[?6l\x1b[4l\x1b[Hx\x1b[?2J");
  return readGrid(copy).codepoint(0) !== 0;
}

/**
 * Shells mark their prompt's rows (OSC 133); the engine clears a marked prompt before it reflows
 * and scrolls instead of clearing when one is on the screen. Every row is given something to lose,
 * then both are tried.
 */
function probePrompt(copyAgain: () => Engine): PromptMark {
  const fill = (copy: Engine) => {
    const { x, y } = copy.cursor();
    const { rows } = copy.size();
    const rowsFilled = Array.from({ length: rows }, (_, row) => `\x1b[${row + 1};1Hx`).join("");
    say(copy, `\x1b[?69l\x1b[r\x1b[?6l\x1b[4l${rowsFilled}\x1b[${y + 1};${x + 1}H`);
    return rows;
  };
  let copy = copyAgain();
  const rows = fill(copy);
  const { cols } = copy.size();
  const below = copy.cursor().y === rows - 1 ? copy.scrollbackLength() : 0;
  copy.resize(cols, rows + 1);
  const resized = readGrid(copy);
  // Growing with the cursor at the bottom pulls one line of history in, if there is any.
  const shift = below > 0 ? 1 : 0;
  const cleared = Array.from({ length: rows }, (_, row) => row).find(
    (row) => resized.codepoint((row + shift) * cols) === 0,
  );
  copy = copyAgain();
  fill(copy);
  const before = copy.scrollbackLength();
  say(copy, "\x1b[2J");
  return { redrawnFrom: cleared, scrollsOnClear: copy.scrollbackLength() > before };
}

interface Protection {
  cells: ReadonlySet<number>;
  iso: boolean;
}

interface PromptMark {
  redrawnFrom: number | undefined;
  scrollsOnClear: boolean;
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
  protection: (Protection & { pen: boolean }) | undefined;
  prompt: PromptMark | undefined;
  /** The screen that is not shown, if there ever was one. */
  hidden: ScreenState | undefined;
  /** Of the primary screen, oldest line first. */
  history: Grid;
}

/** What is worth asking about only when the program ever used it. */
export interface Used {
  alternate: boolean;
  protection: boolean;
  prompts: boolean;
}

/** In reverse video the engine reports swapped colours, so no copy is ever looked at in it. */
const NOT_REVERSED = "\x1b[?5l";

export function probe(engine: Engine, scratch: Engine, used: Used, historyLimit: number): State {
  const alternate = engine.isAlternate();
  // Leaving by 1049 restores the primary screen's saved cursor; 47 changes nothing but the screen.
  const toHidden = alternate ? "\x1b[?1049l" : "\x1b[?47h";
  const copy = (prepare = "") => {
    scratch.copyFrom(engine);
    say(scratch, NOT_REVERSED + prepare);
    return scratch;
  };

  copy();
  const grid = readGrid(scratch);
  const scrolled = scratch.scrollbackLength();
  const cursor = probeCursor(scratch);
  const margins = probeMargins(scratch);
  const tabStops = probeTabStops(scratch);
  // Printing at the bottom may have pushed a line of the screen into the history.
  let history = readHistory(
    scratch,
    alternate ? 0 : historyLimit,
    Math.max(0, scratch.scrollbackLength() - scrolled),
  );

  copy();
  const lastPrinted = probeLastPrinted(scratch);
  say(scratch, RESTORE);
  const saved = probeCursor(scratch);

  let hidden: ScreenState | undefined;
  if (alternate || used.alternate) {
    copy(toHidden);
    const hiddenGrid = readGrid(scratch);
    const length = scratch.scrollbackLength();
    say(scratch, RESTORE);
    hidden = { grid: hiddenGrid, saved: probeCursor(scratch) };
    if (alternate)
      history = readHistory(scratch, historyLimit, Math.max(0, scratch.scrollbackLength() - length));
  }
  return {
    active: { grid, saved },
    cursor,
    margins,
    tabStops,
    lastPrinted,
    protection: used.protection ? { ...probeProtection(copy()), pen: probePenProtection(copy()) } : undefined,
    prompt: used.prompts ? probePrompt(() => copy(alternate ? toHidden : "")) : undefined,
    hidden,
    history,
  };
}
