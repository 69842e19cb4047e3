// The window that typed last decides a terminal's size. This tells the host what size would fill this window.
import type { Size } from "../engine/lines.ts";

interface WindowSizeOptions {
  isReadOnly: boolean;
  /** The size that would fill the window, measured now. */
  measure(): Size;
  /** The size the terminal has. */
  shown(): Size;
  /** This window's viewer number on the current connection. */
  viewer(): number | undefined;
  onChange(size: Size): void;
  send(size: Size): void;
}

/** Resizing a window produces many sizes. The last one counts. */
const SETTLE_MS = 60;

export class WindowSize {
  /** A read-only terminal takes any size. */
  isReadOnly: boolean;
  readonly #options: WindowSizeOptions;
  #size: Size;
  /** The size that has not been sent yet. */
  #wanted: Size | undefined;
  /** Viewer and size that were sent last, so that nothing is sent twice. */
  #sent = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WindowSizeOptions) {
    this.#options = options;
    this.isReadOnly = options.isReadOnly;
    this.#size = options.measure();
  }

  /** The terminal has the size of another window. */
  get isForeign(): boolean {
    const { cols, rows } = this.#options.shown();
    return !this.isReadOnly && (cols !== this.#size.cols || rows !== this.#size.rows);
  }

  /** For a new connection. If another window had decided the size, reconnecting must not take it back. */
  get initial(): Size | undefined {
    return document.hidden || this.isReadOnly || this.isForeign ? undefined : this.#options.measure();
  }

  /** The window, the font or `isReadOnly` has changed. */
  changed(): void {
    if (document.hidden || this.isReadOnly) return;
    this.#size = this.#options.measure();
    this.#options.onChange(this.#size);
    this.#want(this.#size);
  }

  /** Typing makes this window's size the terminal's. The host may not know it on this connection. */
  typed(): void {
    if (this.isForeign) this.#want(this.#options.measure());
  }

  take(): void {
    this.#sent = ""; // another window has changed it since
    this.#want(this.#options.measure());
  }

  /** Sends what could not be sent before. */
  connected(): void {
    if (!this.isReadOnly && this.#timer === undefined) this.#send();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#wanted = undefined;
  }

  #want(size: Size): void {
    this.#wanted = size;
    this.#timer ??= setTimeout(() => this.#send(), SETTLE_MS);
  }

  #send(): void {
    this.#timer = undefined;
    const viewer = this.#options.viewer();
    const size = this.#wanted;
    if (viewer === undefined || size === undefined) return;
    this.#wanted = undefined;
    const sent = `${viewer}: ${size.cols}x${size.rows}`;
    if (sent === this.#sent) return;
    this.#sent = sent;
    this.#options.send(size);
  }
}
