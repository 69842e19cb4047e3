// A copy of some rows of a terminal, cell by cell.

export const Flag = {
  BOLD: 1,
  ITALIC: 2,
  UNDERLINE: 4,
  STRUCK: 8,
  INVERSE: 16,
  INVISIBLE: 32,
  FAINT: 128,
} as const;

const WORDS_PER_CELL = 4;
const SPACE = 0x20;
/** The end of a row that a program filled on purpose: with padding, a rule or a frame. */
const FILLED = / {2}$|([=_*#~-])\1\1$|[\u2500-\u259f]$/;

export interface Size {
  cols: number;
  rows: number;
}

/** Part of a row: from column `start` to before column `end`. */
export interface Span {
  start: number;
  end: number;
}

/** Rows by number: 0 is the oldest line of the history, and the screen comes after the history. */
export interface LineSource {
  size(): Size;
  historyLength(): number;
  lines(first: number, count: number): Lines;
  /** Does this row continue the one before it? */
  continues(line: number): boolean;
}

/** A row as a person reads it, and the column of each of its UTF-16 units. */
export interface RowText {
  text: string;
  columns: number[];
}

export class Lines {
  readonly #words: Uint32Array;

  constructor(
    readonly first: number,
    readonly count: number,
    readonly cols: number,
    cells: Uint8Array,
    private readonly cluster: (row: number, col: number) => number[],
  ) {
    this.#words = new Uint32Array(cells.buffer, cells.byteOffset, cells.byteLength / 4);
  }

  #word(row: number, col: number, word: number): number {
    return this.#words[(row * this.cols + col) * WORDS_PER_CELL + word] ?? 0;
  }

  codepoint = (row: number, col: number) => this.#word(row, col, 0);
  flags = (row: number, col: number) => (this.#word(row, col, 2) >>> 16) & 0xff;
  /** 2 for the first half of a wide character, 0 for its second half or a gap before one. */
  width = (row: number, col: number) => this.#word(row, col, 2) >>> 24;
  isCluster = (row: number, col: number) => (this.#word(row, col, 3) >>> 16) % 256 > 0;

  foreground(row: number, col: number): number {
    const word = this.#word(row, col, 1);
    return ((word & 0xff) << 16) | (word & 0xff00) | ((word >>> 16) & 0xff);
  }

  background(row: number, col: number): number {
    const low = this.#word(row, col, 2);
    return ((this.#word(row, col, 1) >>> 24) << 16) | ((low & 0xff) << 8) | ((low >>> 8) & 0xff);
  }

  /** Equal for two cells exactly when they are drawn with the same colours and attributes. */
  hasSameLook(row: number, col: number, other: number): boolean {
    return (
      this.#word(row, col, 1) === this.#word(row, other, 1) &&
      (this.#word(row, col, 2) & 0xffffff) === (this.#word(row, other, 2) & 0xffffff)
    );
  }

  isSame(row: number, other: Lines, otherRow: number): boolean {
    if (this.cols !== other.cols) return false;
    const length = this.cols * WORDS_PER_CELL;
    for (let i = 0; i < length; i++)
      if (this.#words[row * length + i] !== other.#words[otherRow * length + i]) return false;
    return true;
  }

  /** A space where nothing was printed, nothing for the second half of a wide character. */
  character(row: number, col: number): string {
    if (this.width(row, col) === 0) return "";
    if (this.isCluster(row, col)) return String.fromCodePoint(...this.cluster(row, col));
    return String.fromCodePoint(this.codepoint(row, col) || SPACE);
  }

  /** Was this row wrapped into the next? The engine doesn't say for the history, so this guesses from the text. */
  looksWrapped(row: number): boolean {
    const last = this.cols - 1;
    const isFull = this.codepoint(row, last) !== 0 || this.width(row, last) === 0;
    return isFull && !FILLED.test(this.text(row, last - 2)) && this.text(row + 1, 0, 2).trim() !== "";
  }

  text(row: number, from = 0, to = this.cols): string {
    let text = "";
    for (let col = from; col < to; col++) text += this.character(row, col);
    return text;
  }

  rowText(row: number): RowText {
    let text = "";
    const columns: number[] = [];
    for (let col = 0; col < this.cols; col++) {
      const character = this.character(row, col);
      text += character;
      for (let i = 0; i < character.length; i++) columns.push(col);
    }
    return { text, columns };
  }
}
