// Draws lines so that a fresh engine holds the very same cells: blank where nobody printed, spaces
// where somebody did, wide characters with their gaps, and rows joined where text had wrapped, since
// a later resize reflows by those joints. Expects default modes, margins and character sets.
import { BACKGROUND, FOREGROUND, selectPen } from "./colours.ts";
import type { Grid } from "./grid.ts";

export interface Line {
  grid: Grid;
  row: number;
}

/** Which cells selective erase must spare, and how printing is told so. */
export interface Protecting {
  cells: ReadonlySet<number>;
  on: string;
  off: string;
}

const PLAIN = selectPen(FOREGROUND, BACKGROUND, 0);
const VARIATION_16 = "\ufe0f";
const WIDE_FILLER = "一";

const goto = (row: number, col: number) => `\x1b[${row + 1};${col + 1}H`;
const continues = (line: Line | undefined) => line?.grid.continues(line.row) ?? false;

/** The last column is left empty because a wide character did not fit and went to the next row. */
function endsInGap({ grid, row }: Line): boolean {
  const last = (row + 1) * grid.cols - 1;
  return grid.width(last) === 0 && (grid.cols < 2 || grid.width(last - 1) !== 2);
}

/** Clusters are assembled by mode 2027, except a narrow cell that mode would make wide. */
export function character(grid: Grid, index: number): string {
  const text = grid.text(index);
  if (!grid.isCluster(index)) return text;
  if (grid.width(index) === 1 && text.includes(VARIATION_16)) return text;
  return `\x1b[?2027h${text}\x1b[?2027l`;
}

/** Makes row + 1 a continuation of row by really wrapping; the fillers are cleaned up after. */
const joint = (line: Line, row: number) =>
  goto(row, line.grid.cols - 1) + (endsInGap(line) ? WIDE_FILLER : "xx");

/**
 * Backgrounds of unprinted cells. Erasing to the left is the one way that leaves the row's joint
 * alone, so it goes from right to left and overshoots; what lies further left is drawn later.
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
    out += protecting?.cells.has(index) ? protecting.on + drawn + protecting.off : drawn;
    at = col + grid.width(index);
  }
  return out;
}

/** Draws `lines` from screen row `top` on; those before `top` are there already. */
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
    if (spoiled.has(row)) {
      const end = line.grid.cols - (continues(lines[row + 1]) && endsInGap(line) ? 2 : 1);
      out += `${PLAIN + goto(row, Math.max(end, 0))}\x1b[1K`;
    }
    out += backgrounds(line, row, BACKGROUND) + text(line, row, protecting);
  }
  return out + PLAIN;
}

/** Draws all lines; the last `rows` of them end up on the screen, the others in the history. */
export function paint(lines: readonly Line[], rows: number, protecting?: Protecting): string {
  let window = lines.slice(0, rows);
  const last = (first: number) => (first + rows >= lines.length ? protecting : undefined);
  let out = drawFrom(window, 0, last(0));
  for (let first = 0; first + rows < lines.length; ) {
    // One row stays, so that a line which wraps across the edge of two windows can be joined.
    const step = Math.max(1, Math.min(rows - 1, lines.length - rows - first));
    first += step;
    out += goto(rows - 1, 0) + "\n".repeat(step);
    window = lines.slice(first, first + rows);
    out += drawFrom(window, rows - step, last(first));
  }
  return out;
}

export const linesOf = (grid: Grid): Line[] => Array.from({ length: grid.rows }, (_, row) => ({ grid, row }));
