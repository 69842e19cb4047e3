// A copy of what an engine shows, cell by cell, which stays readable after the engine has moved on.
import { BACKGROUND, FOREGROUND } from "../../vt/colours.ts";
import { CELL_BYTES, type Engine } from "../../vt/engine.ts";
import { selectPen } from "./colours.ts";

export interface Grid {
  cols: number;
  rows: number;
  codepoint(index: number): number;
  /** 2 for the first half of a wide character, 0 for its second half or a gap before one. */
  width(index: number): number;
  background(index: number): number;
  /** The sequence that selects this cell's colours and attributes. */
  pen(index: number): string;
  /** Nothing was printed in this cell. It has a background at most. */
  isBlank(index: number): boolean;
  text(index: number): string;
  /** Whether the character has more than one code point. */
  isCluster(index: number): boolean;
  /** Whether this row is joined to the one above; for one past the last, whether the next one would be. */
  continues(row: number): boolean;
}

interface Source {
  cols: number;
  rows: number;
  cells: Uint8Array;
  grapheme(row: number, col: number): number[];
  continues(row: number): boolean;
}

function createGrid({ cols, rows, cells, grapheme, continues }: Source): Grid {
  const view = new DataView(cells.buffer);
  const rgb = (at: number) =>
    (view.getUint8(at) << 16) | (view.getUint8(at + 1) << 8) | view.getUint8(at + 2);
  const clusters = new Map<number, string>();
  for (let i = 0; i < cols * rows; i++) {
    if (view.getUint8(i * CELL_BYTES + 14) === 0) continue;
    clusters.set(i, String.fromCodePoint(...grapheme(Math.floor(i / cols), i % cols)));
  }
  const continuing = Array.from({ length: rows }, (_, row) => continues(row));
  const codepoint = (i: number) => view.getUint32(i * CELL_BYTES, true);
  const width = (i: number) => view.getUint8(i * CELL_BYTES + 11);
  const background = (i: number) => rgb(i * CELL_BYTES + 7);
  return {
    cols,
    rows,
    codepoint,
    width,
    background,
    pen: (i) => selectPen(rgb(i * CELL_BYTES + 4), background(i), view.getUint8(i * CELL_BYTES + 10)),
    isBlank: (i) => codepoint(i) === 0 && width(i) === 1,
    text: (i) => clusters.get(i) ?? String.fromCodePoint(codepoint(i)),
    isCluster: (i) => clusters.has(i),
    continues: (row) => continuing[row] ?? false,
  };
}

export function readGrid(engine: Engine): Grid {
  const { cols, rows } = engine.size();
  const { grapheme, continues } = engine;
  return createGrid({ cols, rows, cells: engine.cells(), grapheme, continues });
}

/**
 * The last lines of the history, except the `beyond` newest. The engine only knows for rows on the screen whether they
 * were wrapped, so it is made taller, and can't be used for anything else afterwards.
 */
export function readHistory(engine: Engine, limit: number, beyond: number): Grid {
  const { cols, rows } = engine.size();
  const length = engine.scrollbackLength();
  const lines = Math.max(0, Math.min(length - beyond, limit));
  const from = length - beyond - lines;
  const cells = engine.history(from, lines);
  const clusters = (line: number, col: number) => engine.historyGrapheme(from + line, col);
  const grid = { cols, rows: lines, cells, grapheme: clusters };
  // Reads the cells before the engine changes.
  const asked = createGrid({ ...grid, continues: () => false });
  engine.write(Buffer.from("\x1b[?69l\x1b[r\x1b[?6l\x1b[999;1H"));
  if (length > 0) engine.resize(cols, rows + lines + beyond);
  const continuing = Array.from({ length: lines }, (_, line) => engine.continues(line));
  return { ...asked, continues: (row) => continuing[row] ?? false };
}

const PLAIN_PEN = selectPen(FOREGROUND, BACKGROUND, 0);

export function isEmpty(grid: Grid): boolean {
  for (let i = 0; i < grid.cols * grid.rows; i++) {
    if (!grid.isBlank(i) || grid.pen(i) !== PLAIN_PEN) return false;
  }
  return true;
}

/** The screen as a person reads it: one line per row, no trailing blanks. */
export function toText(grid: Grid): string {
  const lines: string[] = [];
  for (let row = 0; row < grid.rows; row++) {
    let line = "";
    for (let i = row * grid.cols; i < (row + 1) * grid.cols; i++) {
      if (grid.width(i) === 0) continue;
      line += grid.isBlank(i) ? " " : grid.text(i);
    }
    lines.push(line.trimEnd());
  }
  return lines.join("\n");
}
