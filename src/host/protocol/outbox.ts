// Sends frames over one connection. Most leave at once. What the socket doesn't take waits here, and a client that lets
// more than the limit pile up is cut off.
import type { Socket } from "bun";

export class Outbox {
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #isRefused = false;
  readonly #socket: Socket<unknown>;
  readonly #limit: number;

  constructor(socket: Socket<unknown>, limit = Number.POSITIVE_INFINITY) {
    this.#socket = socket;
    this.#limit = limit;
  }

  /** Bytes that the socket has not taken yet. */
  get bytes(): number {
    return this.#bytes;
  }

  get isClear(): boolean {
    return this.#waiting.length === 0;
  }

  /** The other side is gone. While a socket is not read, only a failed write shows that. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** The frame's memory may be reused afterwards. */
  send(frame: Uint8Array): void {
    const written = this.isClear ? this.#write(frame) : 0;
    if (written === frame.length) return;
    const rest = frame.slice(written);
    this.#waiting.push(rest);
    this.#bytes += rest.length;
    if (this.#bytes > this.#limit) this.#socket.terminate();
  }

  /** Call it when the socket has room again. */
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
