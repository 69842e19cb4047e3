// Tells the server the size of this viewer's window: the newest, one request at a time.
import type { Size } from "./emulator.ts";

const SETTLE_MS = 60;

export class ResizeWish {
  readonly #url: string;
  readonly #viewer: () => number | undefined;
  #wanted: Size | undefined;
  #told = "";
  #isBusy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string, viewer: () => number | undefined) {
    this.#url = url;
    this.#viewer = viewer;
  }

  /** A window that is being dragged has many sizes; the one it comes to rest at counts. */
  want(size: Size): void {
    this.#wanted = size;
    this.#timer ??= setTimeout(() => void this.#tell(), SETTLE_MS);
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

  async #tell(): Promise<void> {
    this.#timer = undefined;
    const viewer = this.#viewer();
    const size = this.#wanted;
    // Without a connection nothing is lost: the next one begins with the size.
    if (this.#isBusy || viewer === undefined || size === undefined) return;
    const body = JSON.stringify({ cols: size.cols, rows: size.rows, viewer });
    if (body === this.#told) return;
    this.#isBusy = true;
    const headers = { "content-type": "application/json" };
    const answer = await fetch(this.#url, { method: "POST", headers, body }).catch(() => undefined); // see below
    this.#isBusy = false;
    // Unreachable: the terminal's own connection will notice, and say the size again when it is back.
    this.#told = answer?.ok ? body : "";
    if (this.#wanted !== size && this.#wanted !== undefined) this.want(this.#wanted);
  }
}
