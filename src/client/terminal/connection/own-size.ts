// The size this window would give its terminal, and when it says so: whoever typed last decides, the others look on.
import type { Size } from "../engine/emulator.ts";
import type { StatusStore } from "../status.ts";
import { ResizeWish } from "./resize-wish.ts";

interface OwnSizeParts {
  status: StatusStore;
  fit(): Size;
  viewer(): number | undefined;
  say(size: Size): void;
}

export class OwnSize {
  /** Whoever only watches has no wish. */
  isWatched = false;
  readonly #parts: OwnSizeParts;
  readonly #wish: ResizeWish;

  constructor(parts: OwnSizeParts) {
    this.#parts = parts;
    this.#wish = new ResizeWish(parts.viewer, parts.say);
  }

  /** The terminal has the size of another window. */
  get isForeign(): boolean {
    const { size, fit } = this.#parts.status.get();
    return !this.isWatched && (size.cols !== fit.cols || size.rows !== fit.rows);
  }

  /** What a new connection says. Who comes back to another window's size leaves it until something is typed here. */
  wish = (): Size | undefined =>
    document.hidden || this.isWatched || this.isForeign ? undefined : this.#parts.fit();

  /** The window, the font or who looks at it is another. */
  changed(): void {
    if (document.hidden || this.isWatched) return;
    const fit = this.#parts.fit();
    this.#parts.status.patch({ fit });
    this.#wish.want(fit);
  }

  /** Then the size is this window's; it may not have said which since it came back. */
  typed(): void {
    if (this.isForeign) this.#wish.want(this.#parts.fit());
  }

  /** The window may have changed since that began. */
  connected(): void {
    if (!this.isWatched) this.#wish.connected();
  }

  take(): void {
    this.#wish.insist(this.#parts.fit());
  }

  dispose(): void {
    this.#wish.dispose();
  }
}
