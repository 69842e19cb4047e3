// Which size the terminal had from which offset on, as far back as the ring reaches.

export interface Size {
  cols: number;
  rows: number;
}

export interface SizeChange extends Size {
  offset: number;
  /** Whose window it is; undefined when nobody's. */
  owner: number | undefined;
}

/** Somebody may drag a window for ever while nothing is printed. */
const LIMIT = 4_096;

export class SizeLog {
  #changes: SizeChange[];

  constructor(first: Size) {
    this.#changes = [{ ...first, offset: 0, owner: undefined }];
  }

  get current(): SizeChange {
    return this.#changes[this.#changes.length - 1] as SizeChange;
  }

  /** `oldest` is the first offset anybody may still ask about. */
  add(change: SizeChange, oldest: number): void {
    this.#changes.push(change);
    this.#forget(oldest);
  }

  since(offset: number): SizeChange[] {
    return this.#changes.filter((change) => change.offset > offset);
  }

  /** Forgets what happened before `offset`, but for the size in force there. */
  #forget(offset: number): void {
    let first = this.#changes.findIndex((change) => change.offset >= offset);
    if (first < 0) first = this.#changes.length;
    const from = Math.max(first - 1, this.#changes.length - LIMIT, 0);
    if (from > 0) this.#changes = this.#changes.slice(from);
  }

  /** The size in force just before the byte at `offset` is printed. */
  at(offset: number): SizeChange {
    return this.#changes.findLast((change) => change.offset <= offset) ?? (this.#changes[0] as SizeChange);
  }

  get first(): SizeChange {
    return this.#changes[0] as SizeChange;
  }

  /** The entry a snapshot taken at `offset` in that size had reached: several may share an offset. */
  matching(offset: number, { cols, rows }: Size): SizeChange {
    return (
      this.#changes.findLast((c) => c.offset <= offset && c.cols === cols && c.rows === rows) ??
      this.at(offset)
    );
  }

  /** What came next; the oldest known change when `seen` has been forgotten. */
  after(seen: SizeChange): SizeChange | undefined {
    const index = this.#changes.indexOf(seen);
    return this.#changes[index + 1];
  }
}
