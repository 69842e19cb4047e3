// The engine shows cells, cursor and modes, but not the pen, the margins, the character sets, the saved cursor and the
// rest of what later output depends on. All of it can still be found out: by making a copy of the engine, doing
// something to the copy, and looking at the result.
import type { Engine } from "../../vt/engine.ts";
import { type Grid, readGrid, readHistory } from "./grid.ts";
import { type Cursor, probeCursor, probeSingleShift, RESTORE, say } from "./probe-cursor.ts";

interface Margins {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

function probeMargins(copy: Engine): Margins {
  say(copy, "\x1b[?6h\x1b[H");
  const { x: left, y: top } = copy.cursor();
  say(copy, "\x1b[999;999H");
  const { x: right, y: bottom } = copy.cursor();
  return { top, bottom, left, right };
}

/**
 * Which rows a resize would join to the next when it reflows. The engine only tells whether a row once began as a
 * continuation, and the joint may be gone. Moving left from a row's start crosses a joint and nothing else. Leaves the
 * cursor elsewhere and the screen scrolled.
 */
function probeJoints(copy: Engine, grid: Grid): Grid {
  say(copy, "\x1b[?69l\x1b[r\x1b[?6l\x1b[?7h\x1b[?45h");
  const joined = Array.from({ length: grid.rows }, (_, row) => {
    if (row === 0) return grid.continues(0);
    say(copy, `\x1b[${row + 1};1H\x1b[D`);
    return copy.cursor().y < row;
  });
  // One more row, to find out about the last one.
  say(copy, `\x1b[${grid.rows};1H\n\x1b[D`);
  joined.push(copy.cursor().y < grid.rows - 1);
  say(copy, "\x1b[?45l");
  return { ...grid, continues: (row) => joined[row] ?? false };
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

/**
 * The row of the cursor that the primary screen had when mode 47 or 1047 left it. It is nowhere to be seen and lost on
 * return, but a resize until then depends on it: at the bottom a taller screen pulls history in, and
 * blank rows below it, but none above, are given up first.
 */
function probeLeftRow(copyAgain: () => Engine, toPrimary: string, history: number): number {
  const { cols, rows } = copyAgain().size();
  const scrolledAt = (height: number) => {
    const copy = copyAgain();
    copy.resize(cols, height);
    say(copy, toPrimary);
    return copy.scrollbackLength() - history;
  };
  return scrolledAt(rows + 1) < 0 ? rows - 1 : Math.min(scrolledAt(1), rows - 1);
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

/** Selective erase (DECSED) spares protected cells: what is left of a filled screen is protected. */
function probeProtection(copy: Engine): Protection {
  const plain = readGrid(copy);
  // From the top down, not all at once: that would scroll instead where a prompt is marked.
  say(copy, "\x1b[?69l\x1b[r\x1b[?6l\x1b[H\x1b[?J");
  const spared = readGrid(copy);
  const cells = new Set<number>();
  for (let i = 0; i < plain.cols * plain.rows; i++) if (!spared.isBlank(i)) cells.add(i);
  // With ISO protection even an ordinary erase spares them.
  say(copy, "\x1b[J");
  const stillThere = readGrid(copy);
  return { cells, iso: [...cells].some((i) => !stillThere.isBlank(i)) };
}

/** Does the pen protect what it prints, and from every kind of erasing? */
function probePenProtection(copy: Engine) {
  say(copy, "\x1b[?69l\x1b[r\x1b[?6l\x1b[4l\x1b[Hx\x1b[H\x1b[?J");
  const protects = readGrid(copy).codepoint(0) !== 0;
  say(copy, "\x1b[J");
  return { protects, iso: readGrid(copy).codepoint(0) !== 0 };
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
  protection: Protection | undefined;
  /** 2 or 3 if the next character, and only that, comes from G2 or G3. */
  singleShift: number | undefined;
  prompt: PromptMark | undefined;
  /** The screen that is not shown, if there is one. */
  hidden: ScreenState | undefined;
  /** Where the cursor was on the primary screen, if the switch to the other one did not save it. */
  leftRow: number | undefined;
  /** The primary screen's history, oldest line first. */
  history: Grid;
}

/** What only has to be probed if the program has ever used it. */
export interface Used {
  alternate: boolean;
  protection: boolean;
  prompts: boolean;
  singleShifts: boolean;
}

/** In reverse video the engine reports swapped colours, so copies always turn it off. */
const NOT_REVERSED = "\x1b[?5l";

export function probe(engine: Engine, scratch: Engine, used: Used, historyLimit: number): State {
  const alternate = engine.isAlternate();
  // Leaving with 1049 restores the primary screen's saved cursor; 47 only changes the screen.
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

  let iso = false;
  const protects = (prepare = "") => {
    if (!used.protection) return false;
    const pen = probePenProtection(copy(prepare));
    iso ||= pen.iso;
    return pen.protects;
  };

  copy();
  const joinedGrid = probeJoints(scratch, grid);
  const lastPrinted = probeLastPrinted(scratch);
  say(scratch, RESTORE);
  const saved = { ...probeCursor(scratch), protects: protects(RESTORE) };

  let hidden: ScreenState | undefined;
  let leftRow: number | undefined;
  if (alternate || used.alternate) {
    copy(toHidden);
    const length = scratch.scrollbackLength();
    const hiddenGrid = probeJoints(scratch, readGrid(scratch));
    say(scratch, RESTORE);
    const hiddenSaved = probeCursor(scratch);
    if (alternate)
      history = readHistory(scratch, historyLimit, Math.max(0, scratch.scrollbackLength() - length));
    hidden = { grid: hiddenGrid, saved: { ...hiddenSaved, protects: protects(toHidden + RESTORE) } };
    if (alternate && !engine.mode(1049)) leftRow = probeLeftRow(copy, toHidden, length);
  }
  const cursorProtects = protects();
  const protection = used.protection ? probeProtection(copy()) : undefined;
  return {
    active: { grid: joinedGrid, saved },
    cursor: { ...cursor, protects: cursorProtects },
    margins,
    tabStops,
    lastPrinted,
    protection: protection && { ...protection, iso: protection.iso || iso },
    singleShift: used.singleShifts ? [2, 3].find((set) => probeSingleShift(copy(), set)) : undefined,
    prompt: used.prompts ? probePrompt(() => copy(alternate ? toHidden : "")) : undefined,
    hidden,
    leftRow,
    history,
  };
}
