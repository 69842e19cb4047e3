// Whoever typed last decides a terminal's size. This tells the host the size that would fill this window.
import type { Size } from "../engine/lines.ts";

interface WindowSizeOptions {
  isReadOnly: boolean;
  /** The size that would fill the window, measured now. */
  measure(): Size;
  /** The size the terminal has. */
  shown(): Size;
  /** This window's number on the present connection. */
  viewer(): number | undefined;
  onChange(size: Size): void;
  send(size: Size): void;
}

/** A window that is dragged has many sizes; the last one counts. */
const SETTLE_MS = 60;

export class WindowSize {
  /** A read-only terminal takes any size. */
  isReadOnly: boolean;
  readonly #options: WindowSizeOptions;
  #size: Size;
  /** Until it is sent. */
  #wanted: Size | undefined;
  /** Viewer and size, so that none is sent twice. */
  #sent = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WindowSizeOptions) {
    this.#options = options;
    this.isReadOnly = options.isReadOnly;
    this.#size = options.measure();
  }

  /** The terminal has another window's size. */
  get isForeign(): boolean {
    const { cols, rows } = this.#options.shown();
    return !this.isReadOnly && (cols !== this.#size.cols || rows !== this.#size.rows);
  }

  /** For a new connection. One that was lost while another window had the size must not take it back. */
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

  /** Who types gets this window's size, which the host may not know since the last connection. */
  typed(): void {
    if (this.isForeign) this.#want(this.#options.measure());
  }

  take(): void {
    this.#sent = ""; // another window has changed it since
    this.#want(this.#options.measure());
  }

  /** What could not be sent before is sent now. */
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
