// Shows a little output at once. In a flood it collects what comes within a frame, most of which leaves the screen
// before anyone could see it.

const AT_ONCE = 16_384;
const MOST_BYTES = 262_144;

export class OutputBatch {
  readonly #show: (bytes: Uint8Array, arrivedAt: number) => void;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #bytesInFrame = 0;
  #arrivedAt = 0;
  #frame: number | undefined;

  /** `arrivedAt`: when the last of the bytes arrived. */
  constructor(show: (bytes: Uint8Array, arrivedAt: number) => void) {
    this.#show = show;
  }

  add(bytes: Uint8Array): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#bytesInFrame = 0;
      this.flush();
    });
    this.#arrivedAt = performance.now();
    this.#bytesInFrame += bytes.length;
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytesInFrame <= AT_ONCE || this.#bytes >= MOST_BYTES) this.flush();
  }

  flush(): void {
    const parts = this.#parts;
    this.discard();
    if (parts[0] !== undefined) this.#show(parts.length === 1 ? parts[0] : join(parts), this.#arrivedAt);
  }

  discard(): void {
    this.#parts = [];
    this.#bytes = 0;
  }

  dispose(): void {
    this.discard();
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
