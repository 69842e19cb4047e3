// Where the hyperlinks are that a program printed. The engine is not told of them (a few thousand
// can hang it), so the cells they cover are noted here, with what stood there: a link counts only
// while its text is still in its place.
import type { Lines } from "./lines.ts";

interface Position {
  line: number;
  col: number;
}

interface Segment {
  start: number;
  end: number;
  text: string;
  address: string;
}

/** Lines of links that are kept, the newest. */
const LIMIT = 4_000;
/** A link that covers more rows than a screen has is not one anybody clicks. */
const ROW_LIMIT = 300;
const ADDRESS_LIMIT = 4_096;
/** How many of the newest links must be found again for all to be believed to have moved alike. */
const WITNESSES = 8;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a sequence begins with one
const COLOUR = /\u001b\[[0-9;:]*m/g;
const ASCII = /^[ -~]*$/;
/** By how many lines they may have moved, likeliest first. */
const TRIMMED = Array.from({ length: 4_000 }, (_, i) => i + 1);
const REFLOWED = [0, ...Array.from({ length: 200 }, (_, i) => [i + 1, -1 - i]).flat()];

/** What was printed, if that was nothing but ASCII and colours. */
function plainText(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes).replaceAll(COLOUR, "");
  return ASCII.test(text) ? text : undefined;
}

export class LinkTracker {
  readonly #lines = new Map<number, Segment[]>();
  readonly #read: (line: number) => Lines;
  #open: (Position & { address: string }) | undefined;
  #history = 0;

  constructor(read: (line: number) => Lines) {
    this.#read = read;
  }

  /** Is a link being printed? */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** A link begins (or, with no address, ends) where the cursor is. `printed`: all that came since the last one began, if known. */
  change(address: string, at: Position, printed: Uint8Array | undefined): void {
    if (this.#open !== undefined) this.#close(this.#open, at, printed && plainText(printed));
    this.#open = address === "" || address.length > ADDRESS_LIMIT ? undefined : { address, ...at };
  }

  at(line: number, col: number): string | undefined {
    const segments = this.#lines.get(line);
    if (segments === undefined) return undefined;
    const lines = this.#read(line);
    return segments.findLast(
      ({ start, end, text }) => start <= col && col < end && lines.text(0, start, end) === text,
    )?.address;
  }

  /** The history has this many lines now. Fewer than before: its oldest are gone, and all numbers with them. */
  settle(history: number): void {
    if (history < this.#history) this.#renumber(TRIMMED);
    this.#history = history;
  }

  /** The rows have another length: lines may have been wrapped anew, and others moved by that. */
  reflowed(history: number): void {
    this.#renumber(REFLOWED);
    this.#history = history;
  }

  clear(): void {
    this.#lines.clear();
    this.#open = undefined;
    this.#history = 0;
  }

  #close({ address, ...from }: Position & { address: string }, to: Position, printed?: string): void {
    if (to.line < from.line || to.line - from.line > ROW_LIMIT) return;
    // Nearly always plain text within a row; reading that back from the engine would cost much more.
    if (printed !== undefined && to.line === from.line && printed.length === to.col - from.col) {
      this.#add(to.line, { start: from.col, end: to.col, text: printed, address });
      return;
    }
    for (let line = from.line; line <= to.line; line++) {
      const lines = this.#read(line);
      const start = line === from.line ? from.col : 0;
      // A cursor that waits in the last column has printed there.
      const isAtEnd = line < to.line || (to.col === lines.cols - 1 && lines.codepoint(0, to.col) !== 0);
      const end = isAtEnd ? lines.cols : to.col;
      const text = lines.text(0, start, end);
      this.#add(line, { start, end, text, address });
    }
  }

  #add(line: number, segment: Segment): void {
    if (segment.text.trim() === "") return;
    const others = (this.#lines.get(line) ?? []).filter(
      (other) => other.end <= segment.start || other.start >= segment.end,
    );
    this.#lines.delete(line); // so that it becomes the newest
    this.#lines.set(line, [...others, segment]);
    for (const oldest of this.#lines.keys()) {
      if (this.#lines.size <= LIMIT) break;
      this.#lines.delete(oldest);
    }
  }

  /** Finds out by how many lines all have moved; where that can't be told, none is kept. */
  #renumber(shifts: readonly number[]): void {
    const known = [...this.#lines];
    this.#lines.clear();
    this.#open = undefined;
    const witnesses = known.slice(-WITNESSES);
    const isThere = ([line, segments]: [number, Segment[]], shift: number) => {
      if (line < shift) return false;
      const lines = this.#read(line - shift);
      return lines.count > 0 && segments.every(({ start, end, text }) => lines.text(0, start, end) === text);
    };
    const shift = shifts.find((by) => witnesses.every((witness) => isThere(witness, by)));
    if (shift === undefined) return;
    for (const [line, segments] of known) if (line >= shift) this.#lines.set(line - shift, segments);
  }
}
