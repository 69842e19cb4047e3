// What is marked to be copied. Rows are numbered from the oldest line of the history, so that new
// output does not move the mark; only when that line is dropped, it moves along.
import type { Emulator } from "../engine/emulator.ts";
import { LogicalLine, type Point } from "../engine/logical-line.ts";
import type { Span } from "../picture/renderer.ts";

export type Unit = "character" | "word" | "line";

interface Range {
  from: Point;
  /** The column after the last. */
  to: Point;
}

/** What a double click takes together: words, and what paths, addresses and options are made of. */
const WORD = /[\p{L}\p{N}\p{M}_\-./~:@%+#?&=$,]+/gu;

const isBefore = (a: Point, b: Point) => a.line < b.line || (a.line === b.line && a.col < b.col);

export class Selection {
  readonly #emulator: Emulator;
  #unit: Unit = "character";
  #origin: Range | undefined;
  #range: Range | undefined;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  get isEmpty(): boolean {
    const range = this.#range;
    return range === undefined || !isBefore(range.from, range.to);
  }

  start(point: Point, unit: Unit): void {
    this.#unit = unit;
    this.#origin = this.#around(point);
    this.#range = unit === "character" ? undefined : this.#origin;
  }

  extend(point: Point): void {
    const origin = this.#origin;
    if (origin === undefined) return;
    const here = this.#around(point);
    this.#range = isBefore(here.from, origin.from)
      ? { from: here.from, to: origin.to }
      : { from: origin.from, to: here.to };
  }

  /** Where it begins and ends. */
  get ends(): Point[] {
    return this.isEmpty || this.#range === undefined ? [] : [this.#range.from, this.#range.to];
  }

  /** Takes hold of an end, the other one stays; false when neither is meant. */
  grab(isMeant: (end: Point) => boolean): boolean {
    const range = this.#range;
    if (range === undefined || this.isEmpty) return false;
    const fixed = isMeant(range.to) ? range.from : isMeant(range.from) ? range.to : undefined;
    if (fixed === undefined) return false;
    this.#unit = "character";
    this.#origin = { from: fixed, to: fixed };
    return true;
  }

  all(): void {
    const { cols, rows } = this.#emulator.size();
    this.#range = {
      from: { line: 0, col: 0 },
      to: { line: this.#emulator.historyLength() + rows - 1, col: cols },
    };
  }

  /** All lines have moved up by so many; what was on those that are gone is no longer marked. */
  moveUp(by: number): void {
    const point = ({ line, col }: Point) => (line < by ? { line: 0, col: 0 } : { line: line - by, col });
    const range = (old: Range | undefined) => old && { from: point(old.from), to: point(old.to) };
    this.#range = range(this.#range);
    this.#origin = range(this.#origin);
  }

  clear(): void {
    this.#range = undefined;
    this.#origin = undefined;
  }

  spanOf(line: number): Span | undefined {
    const range = this.#range;
    if (range === undefined || this.isEmpty || line < range.from.line || line > range.to.line)
      return undefined;
    const start = line === range.from.line ? range.from.col : 0;
    const end = line === range.to.line ? range.to.col : this.#emulator.size().cols;
    return start < end ? { start, end } : undefined;
  }

  /** Wrapped rows are one line again, and blanks at the end of a line were never typed. */
  text(): string {
    const range = this.#range;
    if (range === undefined || this.isEmpty) return "";
    const lines = this.#emulator.lines(range.from.line, range.to.line - range.from.line + 1);
    let text = "";
    for (let row = 0; row < lines.count; row++) {
      const span = this.spanOf(lines.first + row) ?? { start: 0, end: 0 };
      const isContinued = row + 1 < lines.count && this.#emulator.continues(lines.first + row + 1);
      const part = lines.text(row, span.start, span.end);
      text += isContinued ? part : part.trimEnd();
      if (!isContinued && row + 1 < lines.count) text += "\n";
    }
    return text;
  }

  /** The least that is taken at a place. */
  #around(point: Point): Range {
    const { cols } = this.#emulator.size();
    if (this.#unit === "character") return { from: point, to: point };
    const line = LogicalLine.around(this.#emulator, point.line);
    const index = line.indexOf(point);
    let from = 0;
    let to = line.text.length;
    if (this.#unit === "word") {
      const word = [...line.text.matchAll(WORD)].find(
        (match) => match.index <= index && index < match.index + match[0].length,
      );
      from = word?.index ?? index;
      to = word === undefined ? index + 1 : word.index + word[0].length;
    }
    const spans = line.spans(from, to, cols);
    const first = spans[0];
    const last = spans[spans.length - 1];
    if (first === undefined || last === undefined) return { from: point, to: point };
    return { from: { line: first.line, col: first.start }, to: { line: last.line, col: last.end } };
  }
}
