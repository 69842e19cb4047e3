// Where a program's hyperlinks are. The engine doesn't get them, because a few thousand can hang it. Their cells are
// kept here with their text, and a link counts only while that text is still there.
import type { LineSource, Lines, Span } from "./lines.ts";

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

/** How many lines with links to keep: the newest. */
const LIMIT = 4_000;
/** Nobody clicks a link that covers more rows than a screen has. */
const ROW_LIMIT = 300;
const ADDRESS_LIMIT = 4_096;
/** Cells that may be read to locate links: at most this many, and more for every byte that is printed. */
const MOST_BUDGET = 300_000;
const BUDGET_PER_BYTE = 8;
/** Links have moved by some lines if this many of the newest are found that far away. */
const SAMPLE = 8;
/** How many lines further they may have moved than the history shrank. */
const MOST_SHIFTS = 4_000;
/** How far a change of width may have moved them, in lines, the most likely first. */
const REFLOW_SHIFTS = [0, ...Array.from({ length: 200 }, (_, i) => [i + 1, -1 - i]).flat()];
/** Rows to read at once when searching. */
const BLOCK = 64;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a sequence begins with one
const INVISIBLE = /\u001b(?:\[[0-9;:]*m|\\)/g;
const PLAIN = /^[ \p{L}\p{N}\p{P}\p{S}]*$/u;

/**
 * The text that was printed; undefined if it was more than visible characters, colours and the end of the link's own
 * sequence.
 */
function plainText(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes).replaceAll(INVISIBLE, "");
  return PLAIN.test(text) ? text : undefined;
}

export class Hyperlinks {
  readonly #lines = new Map<number, Segment[]>();
  readonly #source: LineSource;
  #open: (Position & { address: string }) | undefined;
  #history = 0;
  /** Reading costs much more than printing. Without a limit, a few kilobytes could freeze the page for seconds. */
  #budget = MOST_BUDGET;

  constructor(source: LineSource) {
    this.#source = source;
  }

  /** Is a link being printed? */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  addBudget(bytes: number): void {
    this.#budget = Math.min(MOST_BUDGET, this.#budget + bytes * BUDGET_PER_BYTE);
  }

  /**
   * A link begins at the cursor, or ends there if there is no address. `printed`: all output since the last one began,
   * if known.
   */
  change(address: string, at: Position, printed: Uint8Array | undefined): void {
    if (this.#open !== undefined) this.#close(this.#open, at, printed && plainText(printed));
    this.#open = address === "" || address.length > ADDRESS_LIMIT ? undefined : { address, ...at };
  }

  /** The link a cell belongs to, as far as it goes in its row. */
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

  /** A shorter history has lost its oldest lines, and all others have another number. */
  historyChanged(history: number): void {
    const fewer = this.#history - history;
    this.#history = history;
    if (fewer > 0) this.#renumber(Array.from({ length: MOST_SHIFTS }, (_, i) => fewer + i));
  }

  /** The rows have another width: lines may be wrapped elsewhere, and have moved others. */
  reflowed(history: number): void {
    this.#history = history;
    this.#budget = MOST_BUDGET; // people do this, not programs
    this.#renumber(REFLOW_SHIFTS);
  }

  #close({ address, ...from }: Position & { address: string }, to: Position, printed?: string): void {
    const rows = to.line - from.line;
    if (rows < 0 || rows > ROW_LIMIT) return;
    const cols = rows > 0 ? this.#source.size().cols : 0;
    // Nearly always true: the text has one cell per character.
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
      // A cursor in the last column may already have printed there.
      const isAtEnd = row < rows || (to.col === lines.cols - 1 && lines.codepoint(row, to.col) !== 0);
      const end = isAtEnd ? lines.cols : to.col;
      const text = lines.text(row, start, end);
      this.#add(from.line + row, { start, end, text, address });
    }
  }

  /** undefined: there is no budget left. */
  #read(first: number, count: number): Lines | undefined {
    if (this.#budget <= 0) return undefined;
    const { cols, rows } = this.#source.size();
    // The screen can only be read whole.
    this.#budget -= cols * (first + count > this.#history ? count + rows : count);
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

  /** Finds out by how many lines all links have moved, or forgets them if it can't. */
  #renumber(shifts: readonly number[]): void {
    const known = [...this.#lines];
    this.#lines.clear();
    this.#open = undefined;
    const sample = known.slice(-SAMPLE);
    const blocks = new Map<number, Lines | undefined>();
    const isThere = ([line, segments]: [number, Segment[]], shift: number) => {
      const at = line - shift;
      if (at < 0 || this.#budget <= 0) return false;
      const block = Math.floor(at / BLOCK);
      if (!blocks.has(block)) blocks.set(block, this.#read(block * BLOCK, BLOCK));
      const lines = blocks.get(block);
      const row = at % BLOCK;
      if (lines === undefined || row >= lines.count) return false;
      return segments.every(({ start, end, text }) => {
        this.#budget -= end - start;
        return lines.text(row, start, end) === text;
      });
    };
    const shift = shifts.find((by) => sample.every((line) => isThere(line, by)));
    if (shift === undefined) return;
    for (const [line, segments] of known) if (line >= shift) this.#lines.set(line - shift, segments);
  }
}
