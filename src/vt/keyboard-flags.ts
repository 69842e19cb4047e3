// The kitty keyboard protocol's stacks of flags, one per screen. Kept here because the engine has them but doesn't show
// them.

const DEPTH = 8;
const FLAGS = 0b11111;

export class KeyboardFlags {
  #stack = [0];

  get current(): number {
    return this.#stack[this.#stack.length - 1] ?? 0;
  }

  push(flags: number): void {
    this.#stack.push(flags & FLAGS);
    if (this.#stack.length > DEPTH) this.#stack.shift();
  }

  pop(count: number): void {
    const keep = Math.max(this.#stack.length - Math.max(count, 1), 0);
    this.#stack = keep === 0 ? [0] : this.#stack.slice(0, keep);
  }

  /** Mode 1 replaces, 2 adds, 3 removes. */
  set(flags: number, mode: number): void {
    const masked = flags & FLAGS;
    const next = mode === 3 ? this.current & ~masked : mode === 2 ? this.current | masked : masked;
    this.#stack[this.#stack.length - 1] = next;
  }

  replay(): string {
    const [base = 0, ...pushed] = this.#stack;
    return (base === 0 ? "" : `\x1b[=${base}u`) + pushed.map((flags) => `\x1b[>${flags}u`).join("");
  }
}
