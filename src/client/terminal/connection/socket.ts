// The connection to one terminal: comes back by itself, and asks only for what is missing.
import { CLOSE, type ClientControl, type ServerControl, TERMINAL_PROTOCOL } from "../../../contract.ts";
import type { Size } from "../engine/emulator.ts";
import { Gathered } from "../engine/gathered.ts";
import { readInTurn } from "./read-in-turn.ts";

export type ConnectionState =
  | { kind: "connecting" | "live" | "reconnecting" | "signed-out" | "no-session" }
  | { kind: "ended"; code: number | null; signal: string | null };

export interface SocketEvents {
  onState(state: ConnectionState): void;
  /** What follows begins with an empty terminal of this size. */
  onBegin(size: Size): void;
  /** On the screen when this returns; `cameAt` is when the last of them arrived. */
  onBytes(bytes: Uint8Array, cameAt: number): void;
  onSize(size: Size): void;
  /** The size this viewer would like; none while it is not to be seen. */
  wish(): Size | undefined;
}

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 1_500;
/** An attempt that gets no answer for so long is given up. */
const ATTEMPT_MS = 4_000;
/** Often enough that the host, which sends half a megabyte ahead, never has to wait. */
const ACK_BYTES = 65_536;
const ACK_MS = 100;
const KEEP_INPUTS = 1_000;
const FINAL: readonly string[] = ["ended", "signed-out", "no-session"];

export class TerminalSocket {
  readonly #path: string;
  readonly #events: SocketEvents;
  #socket: WebSocket | undefined;
  #state: ConnectionState = { kind: "connecting" };
  #viewer: number | undefined;
  /** After the last byte that is on the screen; undefined while that is no whole state. */
  #offset: number | undefined;
  #snapshotLeft = 0;
  #acked = 0;
  #wantsSnapshot = false;
  /** The terminal has just been opened, or its line or picture is made anew: what is typed meanwhile is kept for a moment. */
  #keepsInput = true;
  #liveSince = 0;
  #kept: Uint8Array<ArrayBuffer>[] = [];
  #delay = FIRST_DELAY_MS;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #attempt: ReturnType<typeof setTimeout> | undefined;
  #acking: ReturnType<typeof setTimeout> | undefined;
  #isPaused = false;
  /** The network may have become another one while nobody looked. */
  #isDoubted = false;
  /** Set while it is held. */
  #stopReading: (() => void) | undefined;
  #waiting: (ServerControl | ArrayBuffer)[] = [];
  readonly #gathered = new Gathered((bytes, cameAt) => this.#show(bytes, cameAt));

  constructor(path: string, events: SocketEvents) {
    this.#path = path;
    this.#events = events;
    this.#connect();
  }

  get viewer(): number | undefined {
    return this.#state.kind === "live" ? this.#viewer : undefined;
  }

  /** False when nobody is listening: what is typed then is not kept, lest it be run later. */
  send(bytes: Uint8Array<ArrayBuffer>): boolean {
    if (this.#keepsInput && this.#kept.length < KEEP_INPUTS) {
      this.#kept.push(bytes);
      return true;
    }
    if (this.#state.kind !== "live" || this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(bytes);
    return true;
  }

  resize({ cols, rows }: Size): void {
    this.#say({ type: "resize", cols, rows });
  }

  /** Nothing is typed, but this viewer becomes the one who typed last, and its size counts. */
  takeSize = () => this.send(new Uint8Array(0));

  /** The network may be another one: a new connection is cheaper than finding out, unless this one was made since. */
  reconnect(since = performance.now()): void {
    const isLive = this.#state.kind === "live";
    if (FINAL.includes(this.#state.kind) || (isLive && this.#liveSince > since)) return;
    if (this.#isPaused) {
      this.#isDoubted = true;
      return;
    }
    if (isLive) {
      this.#keepsInput = true;
      this.#become({ kind: "connecting" });
    }
    this.#delay = FIRST_DELAY_MS;
    this.#connect();
  }

  /** From nothing; `byState` without the bytes that led there, which may be what broke the engine. */
  restart(byState: boolean): void {
    this.#offset = undefined;
    this.#wantsSnapshot = byState;
    this.#keepsInput = true;
    this.#delay = FIRST_DELAY_MS;
    this.#become({ kind: "reconnecting" });
    this.#connect();
  }

  /** While nobody looks, nothing is read: the host stops after half a megabyte and keeps the rest. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#gathered.release();
    if (this.#socket === undefined || this.#isDoubted) this.reconnect();
    else if (this.#stopReading === undefined) this.#read();
  }

  /** While it is held, what comes is read in turn with others, and then `show` is called; the line is kept up as ever. */
  hold(isHeld: boolean, show: () => void): void {
    this.#stopReading?.();
    const read = () => {
      this.#read();
      this.#gathered.release();
      show();
    };
    this.#stopReading = isHeld ? readInTurn(read) : undefined;
    if (!isHeld) this.#read();
  }

  #read(): void {
    while (!this.#isPaused && this.#waiting[0] !== undefined) {
      const [message] = this.#waiting.splice(0, 1);
      if (message !== undefined) this.#receive(message);
    }
  }

  dispose(): void {
    this.#stopReading?.();
    this.#drop();
    clearTimeout(this.#retry);
    clearTimeout(this.#acking);
    this.#gathered.dispose();
    this.#state = { kind: "ended", code: null, signal: null };
  }

  #drop(): void {
    clearTimeout(this.#attempt);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#waiting = [];
    this.#gathered.drop();
    if (this.#snapshotLeft > 0) this.#offset = undefined;
    this.#snapshotLeft = 0;
    socket?.close();
  }

  #connect(): void {
    this.#drop();
    clearTimeout(this.#retry);
    this.#isDoubted = false;
    const url = new URL(this.#path, location.href.replace(/^http/, "ws"));
    const size = this.#events.wish();
    if (size !== undefined) {
      url.searchParams.set("cols", String(size.cols));
      url.searchParams.set("rows", String(size.rows));
    }
    if (this.#offset !== undefined) url.searchParams.set("from", String(this.#offset));
    else if (this.#wantsSnapshot) url.searchParams.set("snapshot", "true");
    const socket = new WebSocket(url, TERMINAL_PROTOCOL);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#attempt = setTimeout(() => this.#lose(socket, 0), ATTEMPT_MS);
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (socket !== this.#socket) return;
      const message = typeof data === "string" ? (JSON.parse(data) as ServerControl) : data;
      if ("type" in message && message.type === "hello") this.#answered(message.offset);
      if (this.#isPaused || this.#stopReading !== undefined) this.#waiting.push(message);
      else this.#receive(message);
    };
    socket.onclose = ({ code }) => this.#lose(socket, code);
  }

  /** Whenever that will be read: the line is there, and from the first acknowledgement on only so much is sent ahead. */
  #answered(offset: number): void {
    clearTimeout(this.#attempt);
    this.#say({ type: "ack", offset });
  }

  #lose(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#read();
    this.#gathered.release();
    this.#drop();
    this.#keepsInput = false;
    this.#kept = [];
    if (code === CLOSE.signedOut) this.#become({ kind: "signed-out" });
    else if (code === CLOSE.noSession) this.#become({ kind: "no-session" });
    if (FINAL.includes(this.#state.kind)) return;
    if (this.#viewer !== undefined) this.#become({ kind: "reconnecting" });
    if (code === CLOSE.replaced) this.#offset = undefined;
    if (this.#isPaused) return;
    const isSettled = code === CLOSE.replaced || code === CLOSE.tooSlow;
    this.#retry = setTimeout(() => this.#connect(), isSettled ? 0 : this.#delay * (0.75 + Math.random() / 2));
    this.#delay = Math.min(this.#delay * 2, MAX_DELAY_MS);
  }

  #become(state: ConnectionState): void {
    this.#state = state;
    this.#events.onState(state);
  }

  #receive(message: ServerControl | ArrayBuffer): void {
    if ("type" in message) {
      this.#gathered.release();
      this.#obey(message);
    } else this.#gathered.take(new Uint8Array(message));
  }

  #show(bytes: Uint8Array, cameAt: number): void {
    this.#events.onBytes(bytes, cameAt);
    const counted = Math.max(0, bytes.length - this.#snapshotLeft);
    this.#snapshotLeft = Math.max(0, this.#snapshotLeft - bytes.length);
    if (this.#offset !== undefined) this.#offset += counted;
    if ((this.#offset ?? 0) - this.#acked >= ACK_BYTES) this.#ack();
    else this.#acking ??= setTimeout(() => this.#ack(), ACK_MS);
  }

  #ack(): void {
    clearTimeout(this.#acking);
    this.#acking = undefined;
    if (this.#offset === undefined || this.#offset === this.#acked) return;
    if (this.#say({ type: "ack", offset: this.#offset })) this.#acked = this.#offset;
  }

  #say(message: ClientControl): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #obey(message: ServerControl): void {
    if (message.type === "hello") {
      this.#viewer = message.viewer;
      this.#begin(message, message.replay !== "delta");
    } else if (message.type === "resync") this.#begin(message, true);
    else if (message.type === "size") this.#events.onSize(message);
    else if (message.type === "live") {
      this.#delay = FIRST_DELAY_MS;
      this.#liveSince = performance.now();
      this.#wantsSnapshot = false;
      this.#keepsInput = false;
      this.#become({ kind: "live" });
      for (const bytes of this.#kept.splice(0)) this.send(bytes);
    } else if (message.type === "exit")
      this.#become({ kind: "ended", code: message.code, signal: message.signal });
  }

  #begin(at: Size & { offset: number; snapshotBytes: number }, isFresh: boolean): void {
    this.#offset = at.offset;
    this.#acked = at.offset;
    this.#snapshotLeft = at.snapshotBytes;
    if (isFresh) this.#events.onBegin({ cols: at.cols, rows: at.rows });
    else this.#events.onSize(at);
  }
}
