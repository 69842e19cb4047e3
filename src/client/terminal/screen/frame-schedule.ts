// When to paint: at most once per frame, less often in a flood, and not in the middle of an update that the program
// wants shown as a whole.

/** How long to wait for the end of such an update. */
const SYNCHRONISED_MS = 200;
/** More than anyone can read since the last picture. While more comes, a few pictures a second will do. */
const FLOOD_BYTES = 16_384;
const FLOOD_PICTURE_MS = 100;
/**
 * After such a pause the flood may be over, so its end is shown soon; but not at every pause, in case it comes in
 * bursts.
 */
const FLOOD_PAUSE_MS = 6;
const BURST_PICTURE_MS = 30;

export class FrameSchedule {
  readonly #isSynchronised: () => boolean;
  readonly #paint: (now: number) => void;
  #frame: number | undefined;
  #isDisposed = false;
  #synchronisedSince: number | undefined;
  /** Bytes since the last picture, and when the last of them arrived. */
  #written = 0;
  #arrivedAt = 0;
  #paintedAt = 0;

  constructor(isSynchronised: () => boolean, paint: (now: number) => void) {
    this.#isSynchronised = isSynchronised;
    this.#paint = paint;
  }

  wrote(bytes: number, arrivedAt: number): void {
    this.#written += bytes;
    this.#arrivedAt = arrivedAt;
  }

  request = (): void => {
    if (!this.#isDisposed) this.#frame ??= requestAnimationFrame(this.#run);
  };

  /** Paints a requested picture without waiting for the frame. */
  flush = (): void => {
    if (this.#frame === undefined) return;
    cancelAnimationFrame(this.#frame);
    this.#run();
  };

  dispose(): void {
    this.#isDisposed = true;
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  #run = (): void => {
    this.#frame = undefined;
    const now = performance.now();
    if (this.#isTooSoon(now)) {
      this.request();
      return;
    }
    this.#written = 0;
    this.#paintedAt = now;
    this.#paint(now);
  };

  #isTooSoon(now: number): boolean {
    const interval = now - this.#arrivedAt < FLOOD_PAUSE_MS ? FLOOD_PICTURE_MS : BURST_PICTURE_MS;
    if (this.#written >= FLOOD_BYTES && now - this.#paintedAt < interval) return true;
    this.#synchronisedSince = this.#isSynchronised() ? (this.#synchronisedSince ?? now) : undefined;
    return this.#synchronisedSince !== undefined && now - this.#synchronisedSince < SYNCHRONISED_MS;
  }
}
