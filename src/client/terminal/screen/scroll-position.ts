// Which lines are in view. At the bottom it follows the output; further up it stays where it is.

export class ScrollPosition {
  readonly #history: () => number;
  /** Number of the line at the top; undefined while following. */
  #held: number | undefined;

  constructor(history: () => number) {
    this.#history = history;
  }

  get top(): number {
    const history = this.#history();
    return this.#held === undefined ? history : Math.min(this.#held, history);
  }

  get isFollowing(): boolean {
    return this.#held === undefined || this.#held >= this.#history();
  }

  /** Lines below the last one in view. */
  get below(): number {
    return this.#history() - this.top;
  }

  by(lines: number): void {
    this.to(this.top + lines);
  }

  to(line: number): void {
    const history = this.#history();
    this.#held = line >= history ? undefined : Math.max(0, line);
  }

  follow(): void {
    this.#held = undefined;
  }

  /** Brings a line into view: into the middle, if it wasn't in view. */
  show(line: number, rows: number): void {
    if (line < this.top || line >= this.top + rows) this.to(line - Math.floor(rows / 2));
  }
}
