// Limits how far a viewer is sent ahead of what it has acknowledged. Counted here and not in the host: under heavy
// output a host receives messages up to 100 ms late, and would think that every viewer is slow.

export const ACK_WINDOW = 524_288;

interface Waiting {
  /** It has to wait until there is room for more output. */
  needsRoom: boolean;
  send(): void;
}

export class OutputWindow {
  readonly #send: (bytes: Uint8Array, offset: number) => void;
  /** In order. Never much, because nothing more is read while the window is full. */
  readonly #waiting: Waiting[] = [];
  #sent = 0;
  #acked: number | undefined;

  constructor(send: (bytes: Uint8Array, offset: number) => void) {
    this.#send = send;
  }

  /** The last offset that has certainly arrived. */
  get acked(): number {
    return this.#acked ?? this.#sent;
  }

  get isFull(): boolean {
    return this.#room <= 0 || this.#waiting.length > 0;
  }

  get #room(): number {
    return this.#acked === undefined ? Number.POSITIVE_INFINITY : this.#acked + ACK_WINDOW - this.#sent;
  }

  /** Output continues from here: at the start, or because the viewer fell too far behind. */
  begin(offset: number): void {
    this.#sent = offset;
    if (this.#acked !== undefined) this.#acked = offset;
  }

  /** The limit applies from the first acknowledgement on. */
  ack(offset: number): void {
    this.#acked = Math.max(this.#acked ?? 0, Math.min(offset, this.#sent));
    while (this.#waiting[0] !== undefined && !(this.#waiting[0].needsRoom && this.#room <= 0)) {
      this.#waiting.shift()?.send();
    }
  }

  /** Sends something other than output, in order. */
  pass(send: () => void, needsRoom = false): void {
    if (this.#waiting.length > 0 || (needsRoom && this.#room <= 0)) this.#waiting.push({ needsRoom, send });
    else send();
  }

  /** The bytes need to be valid only during the call. */
  output(bytes: Uint8Array, offset: number): void {
    const now = this.#waiting.length > 0 ? 0 : Math.max(0, Math.min(bytes.length, this.#room));
    if (now > 0) this.#output(bytes.subarray(0, now), offset);
    if (now < bytes.length) this.#keep(bytes.slice(now), offset + now);
  }

  #output(bytes: Uint8Array, offset: number): void {
    this.#sent = offset + bytes.length;
    this.#send(bytes, offset);
  }

  #keep(bytes: Uint8Array, offset: number, isNext = false): void {
    const send = () => {
      const now = Math.min(bytes.length, this.#room);
      if (now < bytes.length) this.#keep(bytes.subarray(now), offset + now, true);
      this.#output(bytes.subarray(0, now), offset);
    };
    this.#waiting[isNext ? "unshift" : "push"]({ needsRoom: true, send });
  }
}
