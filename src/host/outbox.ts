// Frames on their way to one client. Most leave at once; what the socket does not take waits here,
// and somebody who asks but never listens is cut off.
import type { Socket } from "bun";

const LIMIT = 16_777_216;

export class Outbox {
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #isRefused = false;
  readonly #socket: Socket<unknown>;

  constructor(socket: Socket<unknown>) {
    this.#socket = socket;
  }

  get isClear(): boolean {
    return this.#waiting.length === 0;
  }

  /** Nobody takes anything any more: while a socket is not read, that is the only way to hear of it. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** The frame's memory may be used again afterwards. */
  send(frame: Uint8Array): void {
    const written = this.isClear ? this.#write(frame) : 0;
    if (written === frame.length) return;
    const rest = frame.slice(written);
    this.#waiting.push(rest);
    this.#bytes += rest.length;
    if (this.#bytes > LIMIT) this.#socket.terminate();
  }

  /** To be called when the socket has room again. */
  flush(): void {
    while (this.#waiting[0] !== undefined) {
      const frame = this.#waiting[0];
      const written = this.#write(frame);
      this.#bytes -= written;
      if (written < frame.length) {
        this.#waiting[0] = frame.subarray(written);
        return;
      }
      this.#waiting.shift();
    }
  }

  #write(frame: Uint8Array): number {
    const written = this.#socket.write(frame);
    if (written < 0) this.#isRefused = true;
    return Math.max(written, 0);
  }
}
