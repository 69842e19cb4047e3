// Where the hyperlinks are that a program printed. The engine is not told of them (a few thousand
// can hang it), so the cells they cover are noted here, with what stood there: a link counts only
// while its text is still in its place.
import type { Emulator } from "../engine/emulator.ts";
import type { Lines } from "../engine/lines.ts";
import type { Span } from "../picture/renderer.ts";

interface Position {
  line: number;
  col: number;
}

export interface Hyperlink extends Span {
  address: string;
}

interface Segment extends Hyperlink {
  text: string;
}

type Source = Pick<Emulator, "lines" | "size">;

/** Lines of links that are kept, the newest. */
const LIMIT = 4_000;
/** A link that covers more rows than a screen has is not one anybody clicks. */
const ROW_LIMIT = 300;
const ADDRESS_LIMIT = 4_096;
/** Cells that may be read to note links: so many at once, and more for every byte that is printed. */
const MOST_CREDIT = 300_000;
const CREDIT_PER_BYTE = 8;
/** How many of the newest links must be found again for all to be believed to have moved alike. */
const WITNESSES = 8;
/** By how many lines more than the history lost they may have moved. */
const MOST_SHIFTS = 4_000;
/** By how many lines another width may have moved them, likeliest first. */
const REFLOWED = [0, ...Array.from({ length: 200 }, (_, i) => [i + 1, -1 - i]).flat()];
/** Rows that are read at once while they are searched for. */
const BLOCK = 64;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a sequence begins with one
const UNSEEN = /\u001b(?:\[[0-9;:]*m|\\)/g;
const PLAIN = /^[ \p{L}\p{N}\p{P}\p{S}]*$/u;

/** What was printed, if that was nothing but characters that take up cells, colours, and the end of the link's own sequence. */
function plainText(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes).replaceAll(UNSEEN, "");
  return PLAIN.test(text) ? text : undefined;
}

export class LinkTracker {
  readonly #lines = new Map<number, Segment[]>();
  readonly #source: Source;
  #open: (Position & { address: string }) | undefined;
  #history = 0;
  /** Reading costs much more than printing does: without a limit, a few kilobytes could keep the page busy for seconds. */
  #credit = MOST_CREDIT;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Is a link being printed? */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** So many bytes are being printed. */
  earn(bytes: number): void {
    this.#credit = Math.min(MOST_CREDIT, this.#credit + bytes * CREDIT_PER_BYTE);
  }

  /** A link begins (or, with no address, ends) where the cursor is. `printed`: all that came since the last one began, if known. */
  change(address: string, at: Position, printed: Uint8Array | undefined): void {
    if (this.#open !== undefined) this.#close(this.#open, at, printed && plainText(printed));
    this.#open = address === "" || address.length > ADDRESS_LIMIT ? undefined : { address, ...at };
  }

  /** The link a cell belongs to, as far as it goes in this row. */
  at(line: number, col: number): Hyperlink | undefined {
    const segments = this.#lines.get(line);
    if (segments === undefined) return undefined;
    const lines = this.#source.lines(line, 1);
    const addresses = new Array<string | undefined>(lines.cols);
    for (const { start, end, text, address } of segments)
      if (lines.text(0, start, end) === text) addresses.fill(address, start, end);
    const address = addresses[col];
    if (address === undefined) return undefined;
    let start = col;
    let end = col + 1;
    while (addresses[start - 1] === address) start--;
    while (addresses[end] === address) end++;
    return { address, start, end };
  }

  /** The history has this many lines now. Fewer than before: its oldest are gone, and all numbers with them. */
  settle(history: number): void {
    const fewer = this.#history - history;
    this.#history = history;
    if (fewer > 0) this.#renumber(Array.from({ length: MOST_SHIFTS }, (_, i) => fewer + i));
  }

  /** The rows have another length: lines may have been wrapped anew, and others moved by that. */
  reflowed(history: number): void {
    this.#history = history;
    this.#credit = MOST_CREDIT; // people do this, not programs
    this.#renumber(REFLOWED);
  }

  clear(): void {
    this.#lines.clear();
    this.#open = undefined;
    this.#history = 0;
  }

  #close({ address, ...from }: Position & { address: string }, to: Position, printed?: string): void {
    const rows = to.line - from.line;
    if (rows < 0 || rows > ROW_LIMIT) return;
    const cols = rows > 0 ? this.#source.size().cols : 0;
    // Nearly always text with a cell for each character, as its length tells.
    if (printed?.length === rows * cols + to.col - from.col) {
      for (let row = 0, at = 0; row <= rows; row++) {
        const start = row === 0 ? from.col : 0;
        const end = row < rows ? cols : to.col;
        const text = printed.slice(at, at + end - start);
        this.#add(from.line + row, { start, end, text, address });
        at += end - start;
      }
      return;
    }
    const lines = this.#read(from.line, rows + 1);
    for (let row = 0; lines !== undefined && row < lines.count; row++) {
      const start = row === 0 ? from.col : 0;
      // A cursor that waits in the last column has printed there.
      const isAtEnd = row < rows || (to.col === lines.cols - 1 && lines.codepoint(row, to.col) !== 0);
      const end = isAtEnd ? lines.cols : to.col;
      const text = lines.text(row, start, end);
      this.#add(from.line + row, { start, end, text, address });
    }
  }

  /** undefined: that would be too much. */
  #read(first: number, count: number): Lines | undefined {
    if (this.#credit <= 0) return undefined;
    const { cols, rows } = this.#source.size();
    // Of the screen all is read or nothing.
    this.#credit -= cols * (first + count > this.#history ? count + rows : count);
    return this.#source.lines(first, count);
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
    const blocks = new Map<number, Lines | undefined>();
    const isThere = ([line, segments]: [number, Segment[]], shift: number) => {
      const at = line - shift;
      if (at < 0 || this.#credit <= 0) return false;
      const block = Math.floor(at / BLOCK);
      if (!blocks.has(block)) blocks.set(block, this.#read(block * BLOCK, BLOCK));
      const lines = blocks.get(block);
      const row = at % BLOCK;
      if (lines === undefined || row >= lines.count) return false;
      return segments.every(({ start, end, text }) => {
        this.#credit -= end - start;
        return lines.text(row, start, end) === text;
      });
    };
    const shift = shifts.find((by) => witnesses.every((witness) => isThere(witness, by)));
    if (shift === undefined) return;
    for (const [line, segments] of known) if (line >= shift) this.#lines.set(line - shift, segments);
  }
}
