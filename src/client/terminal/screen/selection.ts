// The selected text. Lines are numbered from the oldest, so new output moves the selection only when old lines are
// dropped.
import type { LineSource, Span } from "../engine/lines.ts";
import { LogicalLine, type Point } from "../engine/logical-line.ts";

export type Unit = "character" | "word" | "line";

interface Range {
  from: Point;
  /** The column after the last. */
  to: Point;
}

/** What a double click selects: words, and what paths, addresses and options are made of. */
const WORD = /[\p{L}\p{N}\p{M}_\-./~:@%+#?&=$,]+/gu;

const isBefore = (a: Point, b: Point) => a.line < b.line || (a.line === b.line && a.col < b.col);

export class Selection {
  readonly #source: LineSource;
  #unit: Unit = "character";
  #origin: Range | undefined;
  #range: Range | undefined;

  constructor(source: LineSource) {
    this.#source = source;
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

  /** Start and end, or nothing. */
  get ends(): Point[] {
    return this.isEmpty || this.#range === undefined ? [] : [this.#range.from, this.#range.to];
  }

  /** The end that is meant follows `extend` from now on, and the other one stays. False if neither is meant. */
  grab(isMeant: (end: Point) => boolean): boolean {
    const range = this.#range;
    if (range === undefined || this.isEmpty) return false;
    const fixed = isMeant(range.to) ? range.from : isMeant(range.from) ? range.to : undefined;
    if (fixed === undefined) return false;
    this.#unit = "character";
    this.#origin = { from: fixed, to: fixed };
    return true;
  }

  selectAll(): void {
    const { cols, rows } = this.#source.size();
    this.#range = {
      from: { line: 0, col: 0 },
      to: { line: this.#source.historyLength() + rows - 1, col: cols },
    };
  }

  /** The oldest lines are gone, and all others have moved up. */
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
    const end = line === range.to.line ? range.to.col : this.#source.size().cols;
    return start < end ? { start, end } : undefined;
  }

  /** Wrapped rows are joined, and blanks at the end of a line are left out. */
  text(): string {
    const range = this.#range;
    if (range === undefined || this.isEmpty) return "";
    const lines = this.#source.lines(range.from.line, range.to.line - range.from.line + 1);
    let text = "";
    for (let row = 0; row < lines.count; row++) {
      const span = this.spanOf(lines.first + row) ?? { start: 0, end: 0 };
      const isContinued = row + 1 < lines.count && this.#source.continues(lines.first + row + 1);
      const part = lines.text(row, span.start, span.end);
      text += isContinued ? part : part.trimEnd();
      if (!isContinued && row + 1 < lines.count) text += "\n";
    }
    return text;
  }

  /** The character, word or line at a place. */
  #around(point: Point): Range {
    const { cols } = this.#source.size();
    if (this.#unit === "character") return { from: point, to: point };
    const line = LogicalLine.around(this.#source, point.line);
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
