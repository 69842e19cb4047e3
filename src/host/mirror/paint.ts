// Draws lines so that a fresh engine has exactly the same cells: blank where nothing was printed, spaces where some
// were, wide characters with their gaps, and rows joined where text had wrapped, because a later resize reflows by
// those joints. Expects default modes, margins and character sets.
import { BACKGROUND, FOREGROUND } from "../../vt/colours.ts";
import { selectPen } from "./colours.ts";
import type { Grid } from "./grid.ts";

export interface Line {
  grid: Grid;
  row: number;
}

/** Which cells are protected from selective erase, and the sequences for that. */
export interface Protecting {
  grid: Grid;
  cells: ReadonlySet<number>;
  on: string;
  off: string;
}

const PLAIN = selectPen(FOREGROUND, BACKGROUND, 0);
/** With clusters, the first makes a narrow character wide, and the second a wide one narrow. */
const WIDENS = "\ufe0f";
const NARROWS = "\ufe0e";
const WIDE_FILLER = "一";
/** A wide character that the current character set lacks leaves a wide space. */
const WIDE_SPACE = `\x1b(0${WIDE_FILLER}\x1b(B`;
const clusters = new Intl.Segmenter();

const goto = (row: number, col: number) => `\x1b[${row + 1};${col + 1}H`;
const continues = (line: Line | undefined) => line?.grid.continues(line.row) ?? false;

/** Whether the last column is empty because a wide character did not fit and moved to the next row. */
function endsInGap({ grid, row }: Line): boolean {
  const last = (row + 1) * grid.cols - 1;
  return grid.width(last) === 0 && (grid.cols < 2 || grid.width(last - 1) !== 2);
}

/** Whether a wide character at the end of this row has lost its second half; see `loseTail`. */
function lostTail({ grid, row }: Line): boolean {
  const last = (row + 1) * grid.cols - 1;
  return grid.cols > 1 && grid.width(last - 1) === 2 && grid.width(last) === 1;
}

/** Makes the engine remove it, which happens when a wide character at the start of the next row is overwritten. */
const loseTail = (row: number) => `${PLAIN}${goto(row + 1, 0)}${WIDE_FILLER}${goto(row + 1, 0)}x`;

/**
 * Mode 2027 assembles clusters. The first code point is printed without it, or it might join the cell to its left. So
 * is what can't be part of a cluster but has no width, and what must keep its width.
 */
export function character(grid: Grid, index: number): string {
  const text = grid.text(index);
  const wide = grid.width(index) === 2;
  const [first = ""] = text;
  const base = wide && first === " " ? WIDE_SPACE : first;
  const rest = text.slice(first.length);
  if (rest === "" || text.includes(wide ? NARROWS : WIDENS)) return base + rest;
  const { segment: cluster } = clusters.segment(text).containing(0) ?? { segment: first };
  const joined = `\x1b[?2027h${cluster.slice(first.length)}\x1b[?2027l`;
  // At the end of a row, with wrapping on, the rest would join the cell before.
  const atEnd = (index % grid.cols) + grid.width(index) === grid.cols;
  return base + (atEnd ? `\x1b[?7l${joined}\x1b[?7h` : joined) + text.slice(cluster.length);
}

/** Makes row + 1 a continuation of row by actually wrapping. All but a gap is cleaned up afterwards. */
function joint(line: Line, row: number): string {
  const last = line.grid.cols - 1;
  if (!endsInGap(line)) return `${PLAIN}${goto(row, last)}xx`;
  return line.grid.pen(line.row * line.grid.cols + last) + goto(row, last) + WIDE_FILLER;
}

/**
 * Backgrounds of unprinted cells. Only erasing to the left leaves the row's joint alone, so this goes from right to
 * left and overshoots. What is further left is drawn later.
 */
function backgrounds({ grid, row: source }: Line, row: number, beneath: number): string {
  let out = "";
  let current = beneath;
  for (let col = grid.cols - 1; col >= 0; col--) {
    const index = source * grid.cols + col;
    if (!grid.isBlank(index) || grid.background(index) === current) continue;
    current = grid.background(index);
    out += `${selectPen(FOREGROUND, current, 0)}${goto(row, col)}\x1b[1K`;
  }
  return out;
}

function text({ grid, row: source }: Line, row: number, protecting?: Protecting): string {
  let out = "";
  let pen = "";
  let at = -1;
  for (let col = 0; col < grid.cols; col++) {
    const index = source * grid.cols + col;
    if (grid.width(index) === 0 || grid.codepoint(index) === 0) continue;
    if (col !== at) out += goto(row, col);
    const wanted = grid.pen(index);
    if (wanted !== pen) {
      out += wanted;
      pen = wanted;
    }
    const drawn = character(grid, index);
    const protects = protecting?.grid === grid && protecting.cells.has(index);
    out += protects ? protecting.on + drawn + protecting.off : drawn;
    at = col + grid.width(index);
  }
  return out;
}

/** Before a joined row is drawn: removes what made the joint, except a gap, which is part of it. */
function cleanUp(line: Line, row: number, joined: boolean): string {
  const end = line.grid.cols - (joined && endsInGap(line) ? 2 : 1);
  return `${PLAIN + goto(row, Math.max(end, 0))}\x1b[1K`;
}

const contents = (line: Line, row: number, protecting?: Protecting) =>
  backgrounds(line, row, BACKGROUND) + text(line, row, protecting);

/** Below the scrolling region, the last row wraps onto itself, which joins it to whatever comes next. */
function joinBelow(line: Line, row: number, protecting?: Protecting): string {
  if (row < 2) return ""; // no room for a region above it
  const wrapped = `\x1b[1;2r${joint(line, row)}\x1b[r`;
  return wrapped + cleanUp(line, row, true) + contents(line, row, protecting) + PLAIN;
}

/** Draws `lines` from screen row `top` on. Those before `top` have been drawn. */
function drawFrom(lines: readonly Line[], top: number, protecting?: Protecting): string {
  let out = PLAIN;
  const spoiled = new Set<number>();
  for (let row = Math.max(top - 1, 0); row + 1 < lines.length; row++) {
    const line = lines[row];
    if (line === undefined || row + 1 < top || !continues(lines[row + 1])) continue;
    out += joint(line, row);
    spoiled.add(row).add(row + 1);
  }
  for (let row = Math.max(top - 1, 0); row < lines.length; row++) {
    const line = lines[row];
    if (line === undefined || (row < top && !spoiled.has(row))) continue;
    const above = lines[row - 1];
    const untailing = above !== undefined && lostTail(above);
    if (untailing) out += loseTail(row - 1);
    if (spoiled.has(row) || untailing) out += cleanUp(line, row, continues(lines[row + 1]));
    out += contents(line, row, protecting);
  }
  return out + PLAIN;
}

/** Draws all lines. The last `rows` of them end up on the screen, the others in the history. */
export function paint(lines: readonly Line[], rows: number, protecting?: Protecting): string {
  let window = lines.slice(0, rows);
  let out = drawFrom(window, 0, protecting);
  for (let first = 0; first + rows < lines.length; ) {
    // One row stays, so that a line that wraps from one window to the next can be joined.
    const step = Math.max(1, Math.min(rows - 1, lines.length - rows - first));
    first += step;
    out += goto(rows - 1, 0) + "\n".repeat(step);
    window = lines.slice(first, first + rows);
    out += drawFrom(window, rows - step, protecting);
  }
  const last = lines.at(-1);
  return last?.grid.continues(last.row + 1) ? out + joinBelow(last, rows - 1, protecting) : out;
}

export const linesOf = (grid: Grid): Line[] => Array.from({ length: grid.rows }, (_, row) => ({ grid, row }));
