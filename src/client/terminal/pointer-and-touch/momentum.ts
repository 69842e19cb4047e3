// Keeps scrolling, slower and slower, after a finger has let go.

/** The speed is measured over this time; a finger that rested this long has stopped. */
const WINDOW_MS = 80;
/** After this time the speed has dropped to a third. */
const DECAY_MS = 325;
const LEAST_PX_PER_MS = 0.03;

export class Momentum {
  readonly #onMove: (pixels: number) => void;
  #samples: { at: number; y: number }[] = [];
  #frame: number | undefined;

  constructor(onMove: (pixels: number) => void) {
    this.#onMove = onMove;
  }

  /** A finger is down: stop rolling. */
  hold(y: number, at: number): void {
    this.stop();
    this.#samples = [{ at, y }];
  }

  track(y: number, at: number): void {
    this.#samples = [...this.#samples.filter((sample) => at - sample.at < WINDOW_MS), { at, y }];
  }

  release(at: number): void {
    const moves = this.#samples.filter((sample) => at - sample.at < WINDOW_MS);
    const [first, last] = [moves[0], moves.at(-1)];
    if (first === undefined || last === undefined || last.at === first.at) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.#roll((first.y - last.y) / (last.at - first.at));
  }

  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  #roll(speed: number): void {
    let before = performance.now();
    const step = (now: number) => {
      // A frame's time may be from before the finger was lifted.
      const passed = Math.max(0, now - before);
      before = now;
      const left = Math.exp(-passed / DECAY_MS);
      // The distance doesn't depend on the number of frames.
      this.#onMove(speed * DECAY_MS * (1 - left));
      speed *= left;
      this.#frame = Math.abs(speed) < LEAST_PX_PER_MS ? undefined : requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }
}
