// A line as the program printed it, put together from the rows it was wrapped into.
import type { LineSource, RowText, Span } from "./lines.ts";

export interface Point {
  line: number;
  col: number;
}

export interface LineSpan extends Span {
  line: number;
}

/** Longer lines are handled in parts. */
const MOST_ROWS = 100;

export class LogicalLine {
  readonly text: string;
  readonly #columns: number[];
  /** Where each row begins in the text. */
  readonly #starts: number[];

  constructor(
    readonly first: number,
    rows: readonly RowText[],
  ) {
    this.text = rows.map(({ text }) => text).join("");
    this.#columns = rows.flatMap(({ columns }) => columns);
    this.#starts = [];
    let start = 0;
    for (const { text } of rows) {
      this.#starts.push(start);
      start += text.length;
    }
  }

  static around(source: LineSource, line: number): LogicalLine {
    const end = source.historyLength() + source.size().rows;
    let first = line;
    let last = line;
    while (first > 0 && line - first < MOST_ROWS && source.continues(first)) first--;
    while (last + 1 < end && last - line < MOST_ROWS && source.continues(last + 1)) last++;
    const lines = source.lines(first, last - first + 1);
    return new LogicalLine(
      first,
      Array.from({ length: lines.count }, (_, row) => lines.rowText(row)),
    );
  }

  /** Index in the text of the character at this place. */
  indexOf({ line, col }: Point): number {
    const row = line - this.first;
    const start = this.#starts[row];
    const end = this.#starts[row + 1] ?? this.text.length;
    if (start === undefined) return -1;
    for (let i = end - 1; i >= start; i--) if ((this.#columns[i] ?? 0) <= col) return i;
    return start;
  }

  /** The cells that a part of the text covers, row by row. */
  spans(from: number, to: number, cols: number): LineSpan[] {
    const spans: LineSpan[] = [];
    for (const [row, start] of this.#starts.entries()) {
      const end = this.#starts[row + 1] ?? this.text.length;
      const a = Math.max(from, start);
      const b = Math.min(to, end);
      if (a >= b) continue;
      const after = b < end ? (this.#columns[b] ?? cols) : cols;
      spans.push({ line: this.first + row, start: this.#columns[a] ?? 0, end: after });
    }
    return spans;
  }
}
