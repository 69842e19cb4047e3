// Which size the terminal had from which offset on, as far back as the ring reaches.
import type { Size } from "../protocol/messages.ts";

export interface SizeChange extends Size {
  /** How many changes came before: several may share an offset, and a size may come back. */
  serial: number;
  offset: number;
  /** Whose window it is; undefined when nobody's. */
  owner: number | undefined;
}

/** Somebody may drag a window for ever while nothing is printed. */
const LIMIT = 4_096;

export class SizeLog {
  #changes: SizeChange[];

  constructor(first: Size) {
    this.#changes = [{ cols: first.cols, rows: first.rows, serial: 0, offset: 0, owner: undefined }];
  }

  get current(): SizeChange {
    return this.#changes[this.#changes.length - 1] as SizeChange;
  }

  /** `oldest` is the first offset anybody may still ask about. */
  add(change: Omit<SizeChange, "serial">, oldest: number): SizeChange {
    const added = { ...change, serial: this.current.serial + 1 };
    this.#changes.push(added);
    this.#forget(oldest);
    return added;
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

  /** What came after the change of that number; the oldest known one when that has been forgotten. */
  after(serial: number): SizeChange | undefined {
    return this.#changes[Math.max(serial + 1 - this.first.serial, 0)];
  }
}
