// Splits a byte stream into frames. Payloads are views that are valid only during the call.
import { ProtocolError } from "./frames.ts";

const HEADER = 5;
const NOTHING = new Uint8Array(0);

const lengthAt = (bytes: Uint8Array, at: number) =>
  new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0, true);

export class FrameReader {
  /** The longest frame accepted, type and payload together. */
  limit: number;
  /** The start of an incomplete frame. Grows by doubling, never beyond one frame. */
  #partial: Uint8Array = NOTHING;
  #held = 0;
  readonly #onFrame: (type: number, payload: Uint8Array) => void;

  constructor(limit: number, onFrame: (type: number, payload: Uint8Array) => void) {
    this.limit = limit;
    this.#onFrame = onFrame;
  }

  feed(chunk: Uint8Array): void {
    let rest = chunk;
    while (this.#held > 0 && rest.length > 0) {
      const needed = this.#held < 4 ? 4 : 4 + this.#checked(lengthAt(this.#partial, 0));
      const taken = Math.min(needed - this.#held, rest.length);
      this.#hold(rest.subarray(0, taken));
      rest = rest.subarray(taken);
      if (needed === 4 || this.#held < needed) continue;
      const frame = this.#partial.subarray(0, needed);
      this.#partial = NOTHING;
      this.#held = 0;
      this.#onFrame(frame[4] ?? 0, frame.subarray(HEADER));
    }
    let at = 0;
    while (rest.length - at >= 4) {
      const length = this.#checked(lengthAt(rest, at));
      if (rest.length - at < 4 + length) break;
      this.#onFrame(rest[at + 4] ?? 0, rest.subarray(at + HEADER, at + 4 + length));
      at += 4 + length;
    }
    if (at < rest.length) this.#hold(rest.subarray(at));
  }

  #checked(length: number): number {
    if (length < 1 || length > this.limit) throw new ProtocolError(`a frame of ${length} bytes`);
    return length;
  }

  #hold(bytes: Uint8Array): void {
    const needed = this.#held + bytes.length;
    if (needed > this.#partial.length) {
      const larger = new Uint8Array(Math.max(needed, this.#partial.length * 2, 64));
      larger.set(this.#partial.subarray(0, this.#held));
      this.#partial = larger;
    }
    this.#partial.set(bytes, this.#held);
    this.#held = needed;
  }
}
