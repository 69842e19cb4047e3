// The screen for those who listen: its text as it is, and aloud what is new, when the output rests.
import type { Emulator } from "./emulator.ts";

const REST_MS = 250;
const PATIENCE_MS = 1_000;
/** More than this is not read out: whoever wants it reads the screen. */
const MOST_LINES = 5;

export class ScreenText {
  readonly #emulator: Emulator;
  readonly #screen: HTMLElement;
  readonly #aloud: HTMLElement;
  #known = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;
  /** Whoever types here wants to hear what comes of it. */
  isHeard = false;

  constructor(emulator: Emulator, screen: HTMLElement, aloud: HTMLElement) {
    this.#emulator = emulator;
    this.#screen = screen;
    this.#aloud = aloud;
  }

  changed(): void {
    const now = performance.now();
    if (this.#timer === undefined) this.#since = now;
    else if (now - this.#since > PATIENCE_MS) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(), REST_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    this.#timer = undefined;
    if (this.#emulator.hasFailed) return;
    const text = this.#emulator.text();
    this.#screen.textContent = text;
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (this.isHeard)
      this.#aloud.textContent = lines
        .filter((line) => !this.#known.has(line))
        .slice(-MOST_LINES)
        .join("\n");
    this.#known = new Set(lines);
  }
}
