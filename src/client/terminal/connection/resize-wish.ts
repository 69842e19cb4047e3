// Tells the host the size of this viewer's window, the newest only.
import type { Size } from "../engine/emulator.ts";

const SETTLE_MS = 60;

export class ResizeWish {
  readonly #viewer: () => number | undefined;
  readonly #say: (size: Size) => void;
  /** Until it is said. */
  #wanted: Size | undefined;
  #told = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(viewer: () => number | undefined, say: (size: Size) => void) {
    this.#viewer = viewer;
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

  /** There is a connection: what could not be said without one is said now. */
  connected(): void {
    if (this.#timer === undefined) this.#tell();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#wanted = undefined;
  }

  #tell(): void {
    this.#timer = undefined;
    const viewer = this.#viewer();
    if (viewer === undefined || this.#wanted === undefined) return;
    const { cols, rows } = this.#wanted;
    this.#wanted = undefined;
    const wish = `${viewer}: ${cols}x${rows}`;
    if (wish === this.#told) return;
    this.#told = wish;
    this.#say({ cols, rows });
  }
}
