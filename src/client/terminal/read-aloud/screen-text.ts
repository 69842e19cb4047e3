// The screen for those who listen: its text as it is, and aloud what is new, with restraint.
import type { Emulator } from "../engine/emulator.ts";
import { Selection } from "../pointer-and-touch/selection.ts";
import { createNews } from "./news.ts";

const REST_MS = 250;
const PATIENCE_MS = 1_000;
/** What comes this soon after a key is its echo. */
const ECHO_MS = 700;

export class ScreenText {
  readonly #emulator: Emulator;
  readonly #screen: HTMLElement;
  readonly #aloud: HTMLElement;
  readonly #news = createNews();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;
  #changedAt = 0;
  #typedAt = Number.NEGATIVE_INFINITY;
  /** Whoever types here wants to hear what comes of it. */
  isHeard = false;

  constructor(emulator: Emulator, screen: HTMLElement, aloud: HTMLElement) {
    this.#emulator = emulator;
    this.#screen = screen;
    this.#aloud = aloud;
  }

  changed(): void {
    this.#changedAt = performance.now();
    this.#tellSoon();
  }

  typed(): void {
    this.#typedAt = performance.now();
  }

  /** The history and the screen. */
  whole(): string {
    const all = new Selection(this.#emulator);
    all.all();
    return all.text().trimEnd();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #tellSoon(): void {
    const now = performance.now();
    if (this.#timer === undefined) this.#since = now;
    else if (now - this.#since > PATIENCE_MS) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(), REST_MS);
  }

  #tell(): void {
    this.#timer = undefined;
    if (this.#emulator.hasFailed) return;
    const text = this.#emulator.text();
    this.#screen.textContent = text;
    const now = performance.now();
    const said = this.#news.take(text.split("\n"), {
      cursorRow: this.#emulator.cursor().y,
      isEcho: now - this.#typedAt < ECHO_MS,
      isResting: now - this.#changedAt >= REST_MS / 2,
    });
    if (this.#news.isWaiting) this.#tellSoon();
    if (this.isHeard && said !== undefined) this.#aloud.textContent = said;
  }
}
