// The screen for screen readers: its text, and from time to time its new lines.
import type { Emulator } from "../engine/emulator.ts";
import { Selection } from "../screen/selection.ts";
import { createNewLines } from "./new-lines.ts";

const REST_MS = 250;
/** While output keeps coming, it is announced this often. */
const MOST_WAIT_MS = 1_000;
/** Output this soon after a key is its echo. */
const ECHO_MS = 700;

export class ScreenText {
  /** Only the terminal with the focus is read aloud. */
  isAloud = false;
  readonly #emulator: Emulator;
  readonly #screen: HTMLElement;
  readonly #aloud: HTMLElement;
  readonly #newLines = createNewLines();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitingSince = 0;
  #changedAt = 0;
  #typedAt = Number.NEGATIVE_INFINITY;

  constructor(emulator: Emulator, screen: HTMLElement, aloud: HTMLElement) {
    this.#emulator = emulator;
    this.#screen = screen;
    this.#aloud = aloud;
  }

  changed(): void {
    this.#changedAt = performance.now();
    this.#updateSoon();
  }

  typed(): void {
    this.#typedAt = performance.now();
  }

  /** The history and the screen. */
  all(): string {
    const selection = new Selection(this.#emulator);
    selection.selectAll();
    return selection.text().trimEnd();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #updateSoon(): void {
    const now = performance.now();
    if (this.#timer === undefined) this.#waitingSince = now;
    else if (now - this.#waitingSince > MOST_WAIT_MS) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#update(), REST_MS);
  }

  #update(): void {
    this.#timer = undefined;
    if (this.#emulator.hasFailed) return;
    const text = this.#emulator.text();
    this.#screen.textContent = text;
    const now = performance.now();
    const announcement = this.#newLines.take(text.split("\n"), {
      cursorRow: this.#emulator.cursor().y,
      isEcho: now - this.#typedAt < ECHO_MS,
      isResting: now - this.#changedAt >= REST_MS / 2,
    });
    if (this.#newLines.isWaiting) this.#updateSoon();
    if (this.isAloud && announcement !== undefined) this.#aloud.textContent = announcement;
  }
}
