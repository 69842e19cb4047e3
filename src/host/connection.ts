// One client of the host. It says hello, then watches, types, asks or stops. A frame that makes no sense ends this
// connection and affects nothing else.
import type { Socket } from "bun";
import { FrameReader } from "./protocol/frame-reader.ts";
import {
  ClientFrame,
  encodeFrame,
  encodeJson,
  HostFrame,
  MAX_CLIENT_FRAME,
  MAX_FIRST_FRAME,
  PROTOCOL_VERSION,
  ProtocolError,
  parseJson,
} from "./protocol/frames.ts";
import { Outbox } from "./protocol/outbox.ts";
import { isSize } from "./protocol/spec.ts";
import type { Session } from "./session.ts";
import { Viewer } from "./viewers/viewer.ts";

const HELLO_TIMEOUT_MS = 5_000;
const PROBE_MS = 1_000;
/** For a client that asks but never reads. */
const OUTBOX_LIMIT = 16_777_216;
const SIGNALS = /^SIG(INT|TERM|QUIT|HUP|KILL|STOP|CONT|USR1|USR2)$/;

let nextViewer = 1;

const optionalNumber = (value: unknown, name: string) => {
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
    throw new ProtocolError(`${name} must be a number`);
  return value;
};

export interface ConnectionOptions {
  session: Session;
  socket: Socket<unknown>;
  /** The exit record has been read, so the host doesn't have to stay. */
  onCollected(): void;
}

export class Connection {
  subscribed = false;
  readonly #reader: FrameReader;
  readonly #outbox: Outbox;
  readonly #session: Session;
  readonly #socket: Socket<unknown>;
  readonly #onCollected: () => void;
  readonly #helloTimeout: Timer;
  #saidHello = false;
  /** Set while reading is paused. */
  #held: Timer | undefined;
  #viewer: Viewer | undefined;

  constructor({ session, socket, onCollected }: ConnectionOptions) {
    this.#session = session;
    this.#socket = socket;
    this.#onCollected = onCollected;
    this.#outbox = new Outbox(socket, OUTBOX_LIMIT);
    this.#reader = new FrameReader(MAX_FIRST_FRAME, (type, payload) => this.#receive(type, payload));
    this.#helloTimeout = setTimeout(() => socket.end(), HELLO_TIMEOUT_MS);
  }

  data(chunk: Uint8Array): void {
    try {
      this.#reader.feed(chunk);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.send(HostFrame.error, { message: error.message });
      this.#socket.end();
      this.closed();
    }
  }

  drained(): void {
    this.#outbox.flush();
    this.#viewer?.pump();
  }

  closed(): void {
    clearTimeout(this.#helloTimeout);
    clearInterval(this.#held);
    if (this.#viewer !== undefined) this.#session.leave(this.#viewer);
    this.#viewer = undefined;
  }

  send(type: number, value: unknown): void {
    this.#outbox.send(encodeJson(type, value));
  }

  #receive(type: number, payload: Uint8Array): void {
    if (!this.#saidHello) {
      this.#hello(type, payload);
      return;
    }
    if (type === ClientFrame.input) {
      if (!this.#session.input(payload, this.#viewer, this.#release)) this.#hold();
      return;
    }
    this.#control(type, parseJson(payload));
  }

  /** Bun does not report the end of a socket that isn't read, so an empty frame is sent from time to time. */
  #hold(): void {
    if (this.#outbox.isRefused) return; // it is gone: its last input has to be read, and then its end
    this.#socket.pause();
    this.#held ??= setInterval(() => {
      if (this.#outbox.isClear) this.#outbox.send(encodeFrame(HostFrame.nothing));
      else this.#outbox.flush();
      if (this.#outbox.isRefused) this.#release();
    }, PROBE_MS);
  }

  readonly #release = () => {
    clearInterval(this.#held);
    this.#held = undefined;
    this.#socket.resume();
  };

  #hello(type: number, payload: Uint8Array): void {
    if (type !== ClientFrame.hello) throw new ProtocolError("the first frame must be a hello");
    const { version } = parseJson(payload);
    clearTimeout(this.#helloTimeout);
    if (version !== PROTOCOL_VERSION) {
      const message = `this session host speaks version ${PROTOCOL_VERSION}, not ${String(version)}`;
      this.send(HostFrame.refused, { message, version: PROTOCOL_VERSION });
      this.#socket.end();
      return;
    }
    this.#saidHello = true;
    this.#reader.limit = MAX_CLIENT_FRAME;
    this.send(HostFrame.hello, { version: PROTOCOL_VERSION, ...this.#session.status() });
  }

  #control(type: number, body: Record<string, unknown>): void {
    const { id } = body;
    if (type === ClientFrame.attach) this.#attach(body);
    else if (type === ClientFrame.resize) this.#resize(body);
    else if (type === ClientFrame.screen) {
      void this.#session.screen().then((screen) => this.send(HostFrame.screen, { id, ...screen }));
    } else if (type === ClientFrame.status) this.send(HostFrame.status, { id, ...this.#session.status() });
    else if (type === ClientFrame.signal) this.#signal(body.signal);
    else if (type === ClientFrame.stop) {
      void this.#session.stop().then((left) => this.send(HostFrame.stopped, { id, left }));
    } else if (type === ClientFrame.subscribe) this.subscribed = true;
    else if (type === ClientFrame.collect) this.#onCollected();
    else if (type === ClientFrame.signals) this.send(HostFrame.signals, { id, ...this.#session.signals() });
    else if (type === ClientFrame.answer) this.#answer(body);
    // Anything else is from a newer client, and ignored.
  }

  #attach(body: Record<string, unknown>): void {
    if (this.#viewer !== undefined) throw new ProtocolError("attached already");
    const from = optionalNumber(body.from, "from");
    const viewer = new Viewer(nextViewer++, this.#session.stream, this.#outbox);
    this.#viewer = viewer;
    this.#session.join(viewer);
    if (body.cols !== undefined || body.rows !== undefined) this.#resize(body);
    const snapshot = body.snapshot === true;
    void viewer.attach({ ...(from === undefined ? {} : { from }), snapshot });
  }

  /** With an id, it is answered. With a viewer, it is on behalf of that viewer. */
  #resize({ id, cols, rows, viewer }: Record<string, unknown>): void {
    const requester = viewer === undefined ? this.#viewer : this.#session.viewer(Number(viewer));
    const isKnown = viewer === undefined || requester !== undefined;
    if (!isSize(cols, rows)) {
      this.send(HostFrame.error, { message: "a size is 2–500 columns and 1–300 rows" });
    } else if (isKnown) this.#session.resize({ cols: Number(cols), rows: Number(rows) }, requester);
    if (id !== undefined) this.send(HostFrame.resized, { id, isKnown });
  }

  #answer({ id, ask, body }: Record<string, unknown>): void {
    if (typeof ask !== "string" || (body !== null && typeof body !== "string"))
      throw new ProtocolError("an answer names what it answers");
    this.send(HostFrame.answered, { id, isOpen: this.#session.answer(ask, body) });
  }

  #signal(signal: unknown): void {
    if (typeof signal !== "string" || !SIGNALS.test(signal)) throw new ProtocolError("no such signal");
    this.#session.signal(signal as NodeJS.Signals);
  }
}
