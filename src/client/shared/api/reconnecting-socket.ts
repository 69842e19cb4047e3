// A WebSocket that is opened again whenever it is lost, after a delay that doubles with each failure.

interface Options {
  firstDelayMs: number;
  mostDelayMs: number;
  open(): WebSocket;
  onOpen?(): void;
  onMessage(data: string | ArrayBuffer): void;
  /** Decides when to try again. The code is 0 when nothing came in time. */
  onLost(code: number, reason: string): "later" | "now" | "never";
}

export class ReconnectingSocket {
  readonly #options: Options;
  #socket: WebSocket | undefined;
  #delay: number;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#delay = options.firstDelayMs;
  }

  get isThere(): boolean {
    return this.#socket !== undefined;
  }

  /** More than one attempt in a row has failed. */
  get isFailing(): boolean {
    return this.#delay > this.#options.firstDelayMs;
  }

  /** Opens a connection now, in place of the one there is. */
  connect(): void {
    this.succeeded();
    this.#open();
  }

  /** The next delay is the first one again. */
  succeeded(): void {
    this.#delay = this.#options.firstDelayMs;
  }

  /** The connection counts as lost unless this is called again in time. */
  expectWithin(ms: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.lose(), ms);
  }

  expectNothing(): void {
    clearTimeout(this.#deadline);
  }

  /** False when it could not be sent. */
  send(data: string | Uint8Array<ArrayBuffer>): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(data);
    return true;
  }

  lose(code = 0, reason = ""): void {
    this.close();
    const when = this.#options.onLost(code, reason);
    if (when === "never") return;
    // The jitter keeps many tabs from connecting at once when a server comes back.
    const delay = when === "now" ? 0 : this.#delay * (0.75 + Math.random() / 2);
    this.#retry = setTimeout(() => this.#open(), delay);
    this.#delay = Math.min(this.#delay * 2, this.#options.mostDelayMs);
  }

  /** Until `connect` is called. */
  close(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#deadline);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #open(): void {
    this.close();
    const { open, onOpen, onMessage } = this.#options;
    const socket = open();
    this.#socket = socket;
    socket.onopen = () => socket === this.#socket && onOpen?.();
    socket.onmessage = ({ data }) => socket === this.#socket && onMessage(data);
    socket.onclose = ({ code, reason }) => socket === this.#socket && this.lose(code, reason);
  }
}
