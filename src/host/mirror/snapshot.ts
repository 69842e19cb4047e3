// The whole state of a terminal as bytes: written to a fresh engine of the same size, they bring it
// to where this one is, so that the raw output from here on means the same to both.
import type { Engine } from "../../vt/engine.ts";
import { ALTERNATE_SCREEN_MODES, MODES, NEVER_REPLAYED, PLACED_BY_HAND, setMode } from "../../vt/modes.ts";
import { type Grid, isEmpty } from "./grid.ts";
import { character, linesOf, type Protecting, paint } from "./paint.ts";
import { probe, type ScreenState, type State, type Used } from "./probe.ts";
import { type Cursor, DESIGNATORS } from "./probe-cursor.ts";

const goto = (x: number, y: number) => `\x1b[${y + 1};${x + 1}H`;
const dec = (number: number, on: boolean) => setMode({ number, ansi: false }, on);
const LOCKING_SHIFTS = ["", "\x0e", "\x1bn", "\x1bo"];
const SINGLE_SHIFTS = ["", "", "\x1bN", "\x1bO"];
const ASCII_SETS = `${DESIGNATORS.map((d) => `\x1b${d}B`).join("")}\x0f`;
const TAB_WIDTH = 8;
/**
 * Clears a terminal that was in use. Not by a full reset: after one, the engine shows what its memory
 * happens to hold when it first switches to the other screen.
 */
const CLEAR = "\x1b[?1049l\x1b[4;20l\x1b[?7h\x1b[?6;45;69l\x1b[r\x1b[?5W\x1b[m\x1b[H\x1b[J\x1b[3J";

const charsets = ({ charsets: sets, charset }: Cursor) =>
  sets.map((set, i) => (set === "B" ? "" : `\x1b${DESIGNATORS[i]}${set}`)).join("") +
  (LOCKING_SHIFTS[charset] ?? "");

/** A pending wrap exists only after printing in the last column: print what is there once more. */
function reprint(grid: Grid, { x, y }: Cursor, offset: { x: number; y: number }): string {
  const start = grid.width(y * grid.cols + x) === 0 ? Math.max(x - 1, 0) : x;
  const index = y * grid.cols + start;
  const content = grid.codepoint(index) === 0 ? " " : character(grid, index);
  return goto(start - offset.x, y - offset.y) + grid.pen(index) + content;
}

/** A wrap that was pending when the screen became wider cannot be had again. */
const place = (grid: Grid, cursor: Cursor, right = grid.cols - 1, offset = { x: 0, y: 0 }) =>
  cursor.pendingWrap && cursor.x === right
    ? reprint(grid, cursor, offset)
    : goto(cursor.x - offset.x, cursor.y - offset.y);

/** Printed only for the sake of a pending wrap, where nobody had printed: unless that would undo a joint. */
function unprint(grid: Grid, { x, y, pendingWrap }: Cursor): string {
  const index = y * grid.cols + x;
  if (
    !pendingWrap ||
    x + 1 < grid.cols ||
    !grid.isBlank(index) ||
    (y + 1 < grid.rows && grid.continues(y + 1))
  )
    return "";
  return `${goto(x, y)}${grid.pen(index)}\x1b[X`;
}

const NEVER_SAVED = JSON.stringify([0, 0, false, "\x1b[m", false, ["B", "B", "B", "B"], 0, false]);
const isNeverSaved = (c: Cursor) =>
  JSON.stringify([c.x, c.y, c.pendingWrap, c.pen, c.origin, c.charsets, c.charset, c.protects]) ===
  NEVER_SAVED;

/** Brings back what DECSC saved, on the screen that is shown at this point. */
function savedCursor({ grid, saved }: ScreenState, save: string, { on, off }: Protecting): string {
  if (isNeverSaved(saved) && save === "\x1b7") return "";
  const before = saved.origin ? dec(6, true) : "";
  const after = (saved.protects ? off : "") + (saved.origin ? dec(6, false) : "");
  const pen = saved.pen + charsets(saved) + (saved.protects ? on : "");
  return `${before + place(grid, saved) + pen + save + ASCII_SETS + after + unprint(grid, saved)}\x1b[m`;
}

function tabStops({ tabStops: stops, active }: State): string {
  const { cols } = active.grid;
  const usual = Array.from({ length: Math.ceil(cols / TAB_WIDTH) - 1 }, (_, i) => (i + 1) * TAB_WIDTH);
  if (stops.join() === usual.filter((x) => x < cols - 1).join()) return "";
  return `\x1b[3g${stops.map((x) => `${goto(x, 0)}\x1bH`).join("")}`;
}

function margins({ margins: m, active: { grid } }: State, leftRight: boolean): string {
  const vertical = m.top === 0 && m.bottom === grid.rows - 1 ? "" : `\x1b[${m.top + 1};${m.bottom + 1}r`;
  return vertical + (leftRight ? `${dec(69, true)}\x1b[${m.left + 1};${m.right + 1}s` : "");
}

/** REP must repeat the right character: print it on an unused cell and take it back. */
function lastPrinted({ lastPrinted: character, active: { grid } }: State): string {
  if (character === undefined) return "";
  for (let row = 0; row < grid.rows; row++) {
    if (row + 1 < grid.rows && grid.continues(row + 1)) continue;
    const first = row * grid.cols;
    for (let col = 0; col + 1 < grid.cols; col++) {
      if (!grid.isBlank(first + col) || !grid.isBlank(first + col + 1)) continue;
      const at = goto(col, row);
      return `${at}\x1b[m${character}${at}${grid.pen(first + col)}\x1b[X${goto(col + 1, row)}${grid.pen(first + col + 1)}\x1b[X`;
    }
  }
  return "";
}

const protecting = ({ protection, active: { grid } }: State): Protecting => ({
  grid,
  cells: protection?.cells ?? new Set(),
  on: protection?.iso ? "\x1bV" : '\x1b[1"q',
  off: protection?.iso ? "\x1bW" : '\x1b[0"q',
});

function promptMark({ prompt, active: { grid } }: State): string {
  if (prompt === undefined) return "";
  if (prompt.redrawnFrom !== undefined) return `${goto(0, prompt.redrawnFrom)}\x1b]133;A\x1b\\`;
  return prompt.scrollsOnClear ? `${goto(0, grid.rows - 1)}\x1b]133;A;redraw=0\x1b\\` : "";
}

export interface Sticky {
  used: Used;
  /** Sequences the engine has no memory of (title, colours, cursor shape …), to be said again. */
  replay(screen: "primary" | "alternate" | "both"): string;
}

export function snapshot(
  engine: Engine,
  scratch: Engine,
  sticky: Sticky,
  size: { cols: number },
  limit: number,
) {
  const alternate = engine.isAlternate();
  const state = probe(engine, scratch, sticky.used, limit);
  const { active, hidden, cursor } = state;
  const { cols, rows } = active.grid;
  const on = (number: number) => engine.mode(number);

  let out = CLEAR + ASCII_SETS;
  // DECCOLM changes the width behind everybody's back.
  if (cols !== size.cols) out += dec(40, true) + dec(3, cols === 132);
  out += dec(2027, false);

  // Later ones change nothing any more, but for how the screen will be left.
  const switches = ALTERNATE_SCREEN_MODES.filter(on).reverse();
  const history = linesOf(state.history);
  const protection = protecting(state);
  const save = on(1048) ? dec(1048, true) : "\x1b7";
  if (alternate && hidden !== undefined) {
    out += paint([...history, ...linesOf(hidden.grid)], rows) + sticky.replay("primary");
    out += promptMark(state);
    // Entering by 1049 saves the cursor itself, so it goes where the saved one is first.
    out += savedCursor(hidden, "\x1b7", protection) + place(hidden.grid, hidden.saved) + hidden.saved.pen;
    out +=
      charsets(hidden.saved) +
      (state.leftRow === undefined ? "" : goto(0, state.leftRow)) +
      switches.map((mode) => dec(mode, true)).join("") +
      ASCII_SETS;
    out += "\x1b[m\x1b[H\x1b[J";
  } else {
    const used = hidden !== undefined && (!isEmpty(hidden.grid) || !isNeverSaved(hidden.saved));
    const entering = switches.length > 0 ? switches : used ? [47] : [];
    if (entering.length > 0) out += `${entering.map((mode) => dec(mode, true)).join("")}\x1b[m\x1b[H\x1b[J`;
    if (used) out += paint(linesOf(hidden.grid), rows) + savedCursor(hidden, "\x1b7", protection);
    if (used) out += sticky.replay("alternate");
    // Left by a mode that is not to stay set; 1047 would clear what is there.
    if (entering.length > 0) out += dec([47, 1049, 1047].find((mode) => !on(mode)) ?? 47, false);
  }
  const shown = alternate ? linesOf(active.grid) : [...history, ...linesOf(active.grid)];
  out += paint(shown, rows, protection) + (alternate ? "" : promptMark(state));
  out += tabStops(state) + savedCursor(active, save, protection) + lastPrinted(state);
  out += margins(state, on(69)) + (on(6) ? dec(6, true) : "");
  const offset = on(6) ? { x: state.margins.left, y: state.margins.top } : { x: 0, y: 0 };
  out += place(active.grid, cursor, state.margins.right, offset) + cursor.pen + charsets(cursor);
  if (cursor.protects) out += protection.on;
  out += sticky.replay(alternate ? "alternate" : "primary") + sticky.replay("both");
  for (const mode of MODES) {
    if (mode.number === NEVER_REPLAYED || (!mode.ansi && PLACED_BY_HAND.has(mode.number))) continue;
    out += setMode(mode, engine.mode(mode.number, mode.ansi));
  }
  if (on(40) !== (cols !== size.cols)) out += dec(40, on(40));
  return out + (SINGLE_SHIFTS[state.singleShift ?? 0] ?? "");
}
