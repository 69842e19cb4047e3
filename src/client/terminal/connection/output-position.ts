// How much of the program's output is on the screen. The server sends at most half a megabyte beyond what was
// acknowledged.

/** Acknowledges this often, so that the server never has to wait. */
const ACK_BYTES = 65_536;
const ACK_MS = 100;

export class OutputPosition {
  readonly #acknowledge: (offset: number) => boolean;
  /** The offset after the last byte on the screen; undefined while the screen is incomplete. */
  #offset: number | undefined;
  #snapshotLeft = 0;
  #acknowledged = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `acknowledge` returns false when it can't be sent. */
  constructor(acknowledge: (offset: number) => boolean) {
    this.#acknowledge = acknowledge;
  }

  get offset(): number | undefined {
    return this.#offset;
  }

  /** A snapshot's bytes come first and don't count. */
  begin(offset: number, snapshotBytes: number): void {
    this.#offset = offset;
    this.#acknowledged = offset;
    this.#snapshotLeft = snapshotBytes;
  }

  shown(bytes: number): void {
    const counted = Math.max(0, bytes - this.#snapshotLeft);
    this.#snapshotLeft = Math.max(0, this.#snapshotLeft - bytes);
    if (this.#offset !== undefined) this.#offset += counted;
    if ((this.#offset ?? 0) - this.#acknowledged >= ACK_BYTES) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), ACK_MS);
  }

  /** Half a snapshot can't be continued. */
  interrupted(): void {
    if (this.#snapshotLeft > 0) this.forget();
    this.#snapshotLeft = 0;
  }

  forget(): void {
    this.#offset = undefined;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#offset === undefined || this.#offset === this.#acknowledged) return;
    if (this.#acknowledge(this.#offset)) this.#acknowledged = this.#offset;
  }
}
