// Output that has come and is not shown yet. Little is shown at once; of a flood what came since the last frame is
// shown together: most of it is gone before anyone could see it.

const AT_ONCE = 16_384;
const MOST_GATHERED = 262_144;

export class Gathered {
  readonly #show: (bytes: Uint8Array, cameAt: number) => void;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #inFrame = 0;
  #cameAt = 0;
  #frame: number | undefined;

  /** `cameAt` is when the last of the bytes arrived. */
  constructor(show: (bytes: Uint8Array, cameAt: number) => void) {
    this.#show = show;
  }

  take(bytes: Uint8Array): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#inFrame = 0;
      this.release();
    });
    this.#cameAt = performance.now();
    this.#inFrame += bytes.length;
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    if (this.#inFrame <= AT_ONCE || this.#bytes >= MOST_GATHERED) this.release();
  }

  release(): void {
    const parts = this.#parts;
    this.drop();
    if (parts[0] !== undefined) this.#show(parts.length === 1 ? parts[0] : join(parts), this.#cameAt);
  }

  /** What has not been shown will not be. */
  drop(): void {
    this.#parts = [];
    this.#bytes = 0;
  }

  dispose(): void {
    this.drop();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }
}

function join(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
