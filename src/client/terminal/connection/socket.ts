// The connection to one terminal. It reconnects by itself, and asks only for the output that is missing.
import { CLOSE, type ClientControl, type ServerControl, TERMINAL_PROTOCOL } from "../../../contract.ts";
import { signedSocket } from "../../shared/api/page-key.ts";
import { ReconnectingSocket } from "../../shared/api/reconnecting-socket.ts";
import type { Size } from "../engine/lines.ts";
import { OutputBatch } from "./output-batch.ts";
import { OutputPosition } from "./output-position.ts";
import { readInTurn } from "./read-in-turn.ts";

export type ConnectionState =
  | { kind: "connecting" | "live" | "reconnecting" | "signed-out" | "no-session" }
  /** The session goes on, but its terminal can't be shown now; the reason is for people. */
  | { kind: "unreachable"; reason: string }
  | { kind: "ended"; code: number | null; signal: string | null };

export interface SocketEvents {
  onState(state: ConnectionState): void;
  /** The output that follows starts with an empty terminal of this size. */
  onStart(size: Size): void;
  /** The bytes are on the screen when this returns. `arrivedAt`: when the last of them arrived. */
  onBytes(bytes: Uint8Array, arrivedAt: number): void;
  onSize(size: Size): void;
  /** The size to ask for on a new connection, if any. */
  initialSize(): Size | undefined;
}

const FIRST_DELAY_MS = 200;
const MOST_DELAY_MS = 1_500;
const ANSWER_MS = 4_000;
const MOST_INPUTS = 1_000;

/** The connection won't come back. */
export const isFinal = ({ kind }: ConnectionState) =>
  kind === "ended" || kind === "signed-out" || kind === "no-session";

export class TerminalSocket {
  readonly #path: string;
  readonly #events: SocketEvents;
  readonly #socket = new ReconnectingSocket({
    firstDelayMs: FIRST_DELAY_MS,
    mostDelayMs: MOST_DELAY_MS,
    open: () => this.#open(),
    onMessage: (data) => this.#arrived(typeof data === "string" ? JSON.parse(data) : data),
    onLost: (code, reason) => this.#lost(code, reason),
  });
  readonly #position = new OutputPosition((offset) => this.#send({ type: "ack", offset }));
  readonly #batch = new OutputBatch((bytes, arrivedAt) => {
    this.#events.onBytes(bytes, arrivedAt);
    this.#position.shown(bytes.length);
  });
  #state: ConnectionState = { kind: "connecting" };
  #viewer: number | undefined;
  #liveSince = 0;
  #wantsSnapshot = false;
  /** Input waits while a terminal opens or deliberately reconnects. */
  #keepsInput = true;
  #inputs: Uint8Array<ArrayBuffer>[] = [];
  /** Messages that have arrived but were not read yet. */
  #unread: (ServerControl | ArrayBuffer)[] = [];
  #isPaused = false;
  #hasNetworkChanged = false;
  /** Set while this terminal takes turns with others. */
  #stopTurns: (() => void) | undefined;

  constructor(path: string, events: SocketEvents) {
    this.#path = path;
    this.#events = events;
    this.#socket.connect();
  }

  /** This window's number while it is connected. */
  get viewer(): number | undefined {
    return this.#state.kind === "live" ? this.#viewer : undefined;
  }

  /** False without a connection: input must not run at some later time. */
  send(bytes: Uint8Array<ArrayBuffer>): boolean {
    if (this.#keepsInput && this.#inputs.length < MOST_INPUTS) {
      this.#inputs.push(bytes);
      return true;
    }
    return this.#state.kind === "live" && this.#socket.send(bytes);
  }

  resize({ cols, rows }: Size): void {
    this.#send({ type: "resize", cols, rows });
  }

  /** Makes this window the one that typed last, which decides the size, without typing anything. */
  takeSize = () => this.send(new Uint8Array(0));

  /**
   * The network may have changed. A new connection is cheaper than finding out, unless this one is newer than `since`.
   */
  reconnect(since = performance.now()): void {
    const isLive = this.#state.kind === "live";
    if (isFinal(this.#state) || (isLive && this.#liveSince > since)) return;
    if (this.#isPaused) {
      this.#hasNetworkChanged = true;
      return;
    }
    if (isLive) {
      this.#keepsInput = true;
      this.#setState({ kind: "connecting" });
    }
    this.#socket.connect();
  }

  /** Starts again from a snapshot, because the bytes that led to this screen may be what broke the engine. */
  restart(): void {
    this.#position.forget();
    this.#wantsSnapshot = true;
    this.#keepsInput = true;
    this.#setState({ kind: "reconnecting" });
    this.#socket.connect();
  }

  /** A hidden page reads nothing: the server stops after half a megabyte, and the host keeps the rest. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#batch.flush();
    if (!this.#socket.isThere || this.#hasNetworkChanged) this.reconnect();
    else if (this.#stopTurns === undefined) this.#readAll();
  }

  /** Takes turns with other terminals, or reads everything at once. `afterRead` is part of the turn. */
  setInTurn(isInTurn: boolean, afterRead: () => void): void {
    this.#stopTurns?.();
    const read = () => {
      this.#readAll();
      this.#batch.flush();
      afterRead();
    };
    this.#stopTurns = isInTurn ? readInTurn(read) : undefined;
    if (!isInTurn) this.#readAll();
  }

  dispose(): void {
    this.#stopTurns?.();
    this.#socket.close();
    this.#position.dispose();
    this.#batch.dispose();
    this.#state = { kind: "ended", code: null, signal: null };
  }

  #open(): WebSocket {
    this.#discardUnread();
    this.#hasNetworkChanged = false;
    const url = new URL(this.#path, location.href.replace(/^http/, "ws"));
    const size = this.#events.initialSize();
    if (size !== undefined) {
      url.searchParams.set("cols", String(size.cols));
      url.searchParams.set("rows", String(size.rows));
    }
    const { offset } = this.#position;
    if (offset !== undefined) url.searchParams.set("from", String(offset));
    else if (this.#wantsSnapshot) url.searchParams.set("snapshot", "true");
    const socket = signedSocket(url, TERMINAL_PROTOCOL);
    socket.binaryType = "arraybuffer";
    this.#socket.expectWithin(ANSWER_MS);
    return socket;
  }

  #discardUnread(): void {
    this.#unread = [];
    this.#batch.discard();
    this.#position.interrupted();
  }

  #arrived(message: ServerControl | ArrayBuffer): void {
    if ("type" in message && message.type === "hello") {
      this.#socket.expectNothing();
      // Even if nobody reads yet: the first acknowledgement is what makes the server limit how far it sends ahead.
      this.#send({ type: "ack", offset: message.offset });
    }
    if (this.#isPaused || this.#stopTurns !== undefined) this.#unread.push(message);
    else this.#read(message);
  }

  #lost(code: number, reason: string): "later" | "now" | "never" {
    this.#readAll();
    this.#batch.flush();
    this.#discardUnread();
    this.#keepsInput = false;
    this.#inputs = [];
    if (code === CLOSE.signedOut) this.#setState({ kind: "signed-out" });
    else if (code === CLOSE.noSession) this.#setState({ kind: "no-session" });
    if (isFinal(this.#state)) return "never";
    if (code === CLOSE.unreachable) this.#setState({ kind: "unreachable", reason });
    else if (this.#viewer !== undefined) this.#setState({ kind: "reconnecting" });
    if (code === CLOSE.replaced) this.#position.forget();
    if (this.#isPaused) return "never";
    return code === CLOSE.replaced || code === CLOSE.tooSlow ? "now" : "later";
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#events.onState(state);
  }

  #readAll(): void {
    while (!this.#isPaused) {
      const message = this.#unread.shift();
      if (message === undefined) return;
      this.#read(message);
    }
  }

  #read(message: ServerControl | ArrayBuffer): void {
    if ("type" in message) {
      this.#batch.flush();
      this.#control(message);
    } else this.#batch.add(new Uint8Array(message));
  }

  #control(message: ServerControl): void {
    if (message.type === "hello") {
      this.#viewer = message.viewer;
      this.#start(message, message.replay !== "delta");
    } else if (message.type === "resync") this.#start(message, true);
    else if (message.type === "size") this.#events.onSize(message);
    else if (message.type === "live") {
      this.#socket.succeeded();
      this.#liveSince = performance.now();
      this.#wantsSnapshot = false;
      this.#keepsInput = false;
      this.#setState({ kind: "live" });
      for (const bytes of this.#inputs.splice(0)) this.send(bytes);
    } else if (message.type === "exit")
      this.#setState({ kind: "ended", code: message.code, signal: message.signal });
  }

  #start(at: Size & { offset: number; snapshotBytes: number }, isEmpty: boolean): void {
    this.#position.begin(at.offset, at.snapshotBytes);
    if (isEmpty) this.#events.onStart({ cols: at.cols, rows: at.rows });
    else this.#events.onSize(at);
  }

  #send(message: ClientControl): boolean {
    return this.#socket.send(JSON.stringify(message));
  }
}
