// Tells the host the size of this viewer's window, the newest only.
import type { Size } from "./emulator.ts";

const SETTLE_MS = 60;

export class ResizeWish {
  /** False without a connection. Nothing is lost then: the next one begins with the size. */
  readonly #say: (size: Size) => boolean;
  #wanted: Size | undefined;
  #told = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(say: (size: Size) => boolean) {
    this.#say = say;
  }

  /** A window that is being dragged has many sizes; the one it comes to rest at counts. */
  want(size: Size): void {
    this.#wanted = size;
    this.#timer ??= setTimeout(() => this.#tell(), SETTLE_MS);
  }

  /** Somebody else has given it another size since. */
  insist(size: Size): void {
    this.#told = "";
    this.want(size);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#wanted = undefined;
  }

  #tell(): void {
    this.#timer = undefined;
    if (this.#wanted === undefined) return;
    const { cols, rows } = this.#wanted;
    const wish = `${cols}x${rows}`;
    if (wish !== this.#told) this.#told = this.#say({ cols, rows }) ? wish : "";
  }
}
