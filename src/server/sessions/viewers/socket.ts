// One viewer: a pipe between its WebSocket and a connection of its own to the session's host. Neither
// side is read faster than the other takes, so nothing but a few chunks is ever held here.
import type { ServerWebSocket } from "bun";
import { CLOSE } from "../../../contract.ts";
import { DomainError } from "../../errors.ts";
import {
  type AttachRequest,
  connect,
  type HostConnection,
  type HostHandlers,
  type Size,
  type TerminalAddress,
  whyUnreachable,
} from "../../hosts/connection.ts";
import { playLastOutput, readLastOutput } from "../../hosts/last-output.ts";
import { ControlError, parseControl } from "./control.ts";
import { OutputWindow } from "./output-window.ts";
import { createLiveness, type Flow, type Patience } from "./patience.ts";
import { controlledPipe, type Outgoing, plainPipe } from "./wire.ts";

/** More input than that on its way to the host, and the viewer is not read any further. */
const INPUT_LIMIT = 1_048_576;
/** Should nobody say that the host is there. */
const LOOK_AGAIN_MS = 50;

export interface View {
  /** With control messages, or a plain pipe. */
  isControlled: boolean;
  attach: AttachRequest;
  /** Looked up again until the session's host is there. */
  find(): TerminalAddress | undefined;
  /** Called before what somebody types is passed on. */
  typed?(sessionId: string): void;
  /** Whether the login that opened this socket is still good. */
  isWelcome(): boolean;
}

export interface SocketOptions extends View {
  patience: Patience;
  /** Milliseconds, by the clock that patience is measured with. */
  now(): number;
  /** Waits for the session's host, but not for long. */
  waitForHost(sessionId: string, limitMs: number): Promise<void>;
  /** A bug of ours. */
  failed(error: unknown): void;
  opened(socket: TerminalSocket): void;
  closed(socket: TerminalSocket): void;
}

/** The handlers of one WebSocket; Elysia's dispatcher calls them with Bun's own socket. */
export class TerminalSocket {
  /** Of the session that is watched, once it has been found. */
  sessionId: string | undefined;
  readonly #options: SocketOptions;
  readonly #liveness;
  #ws: ServerWebSocket<unknown> | undefined;
  #host: HostConnection | undefined;
  /** What was typed before the host was reached. */
  #early: Uint8Array[] = [];
  #earlySize: Size | undefined;
  #typed = 0;
  #sent = 0;
  #isHostHeld = false;
  /** The end of the program has come, and is told in its turn. */
  #hasEnd = false;
  readonly #pipe: HostHandlers;
  readonly #window: OutputWindow;
  /** What the last attempt to reach the host ended with. */
  #failure: unknown;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#liveness = createLiveness(options.patience, 3, options.now());
    const out: Outgoing = {
      bytes: (bytes) => this.#passOn(bytes.length, (ws) => ws.sendBinary(bytes as Uint8Array<ArrayBuffer>)),
      text: (text) => this.#passOn(text.length, (ws) => ws.sendText(text)),
      close: (code, reason) => this.end(code, reason),
    };
    this.#pipe = options.isControlled ? controlledPipe(out) : plainPipe(out);
    this.#window = new OutputWindow((bytes, offset) => this.#pipe.output?.(bytes, offset));
  }

  open(ws: ServerWebSocket<unknown>): void {
    this.#ws = ws;
    this.#options.opened(this);
    this.#connect().catch((error) => {
      this.#options.failed(error);
      this.end(CLOSE.failed, "Something went wrong inside banto. See its log.");
    });
  }

  message(_ws: ServerWebSocket<unknown>, message: string | Uint8Array): void {
    this.#liveness.heard(this.#options.now());
    if (typeof message !== "string") this.#type(message);
    else if (this.#options.isControlled) this.#obey(message);
    else this.#type(Buffer.from(message));
  }

  pong(): void {
    this.#liveness.heard(this.#options.now());
  }

  ping(): void {
    this.#liveness.heard(this.#options.now());
  }

  drain(): void {
    this.#balance();
  }

  /** The WebSocket is gone; what was typed by then is still passed on. */
  close(): void {
    if (this.#ws === undefined) return;
    this.#ws = undefined;
    this.#host?.close();
    this.#options.closed(this);
  }

  /** Ends it from this side; what has been sent before arrives before. */
  end(code: number, reason: string): void {
    this.#ws?.close(code, reason);
    this.#early = [];
    this.close();
  }

  get isWelcome(): boolean {
    return this.#options.isWelcome();
  }

  /** To be called every now and then: lets go whoever is gone, or holds things up for too long. */
  check(): void {
    const ws = this.#ws;
    if (ws === undefined) return;
    const verdict = this.#liveness.judge(this.#flows(ws), this.#options.now());
    if (verdict === "ping") ws.ping();
    if (this.#isHostHeld && this.#host?.isGone()) this.#host.resume();
    this.#balance();
    if (verdict === "slow") this.end(CLOSE.tooSlow, "Nothing could be passed on for too long.");
    else if (verdict === "dead") {
      ws.terminate();
      this.#early = [];
      this.close();
    } else this.#leaveSilentHost();
  }

  /** Nothing comes from it any more, and a still picture would say that all is well. */
  #leaveSilentHost(): void {
    if (this.#host === undefined) return;
    const address = this.#find();
    if (address?.trouble === undefined || address.sessionId !== this.sessionId) return;
    this.end(CLOSE.unreachable, whyUnreachable(address) ?? "");
  }

  #flows(ws: ServerWebSocket<unknown>): Flow[] {
    const buffered = ws.getBufferedAmount();
    const unsent = this.#host?.unsent() ?? 0;
    return [
      { isHeld: buffered > 0, passed: this.#sent - buffered },
      { isHeld: this.#window.isFull, passed: this.#window.acked },
      { isHeld: unsent > 0, passed: this.#typed - unsent },
    ];
  }

  async #connect(): Promise<void> {
    const host = await this.#reach();
    if (host === undefined) {
      if (this.#ws !== undefined) this.#showLast();
      return;
    }
    this.#host = host;
    if (this.#isHostHeld) host.pause(); // by what came before it could be
    if (this.#earlySize !== undefined) host.resize(this.#earlySize);
    for (const input of this.#early.splice(0)) host.send(input);
    if (this.#ws === undefined) host.close();
    else this.#balance();
  }

  /** A session that has ended is shown as it was then, unless that has begun already. */
  #showLast(): void {
    if (this.#sent > 0) {
      this.#loseHost();
      return;
    }
    const address = this.#find();
    const last = address?.lastPath === undefined ? undefined : readLastOutput(address.lastPath);
    const why = address && whyUnreachable(address, this.#failure);
    if (last !== undefined) playLastOutput(last, this.#handlers());
    else if (why !== undefined) this.end(CLOSE.unreachable, why);
    else this.end(CLOSE.noSession, "The task has no session.");
  }

  /** A session that is just being started has no host yet: its viewers wait for it. */
  async #reach(): Promise<HostConnection | undefined> {
    while (this.#ws !== undefined || this.#early.length > 0) {
      const address = this.#find();
      if (address === undefined) return undefined;
      // What somebody typed who has left was not meant for a later session.
      if (this.#ws === undefined && address.sessionId !== this.sessionId) return undefined;
      this.sessionId = address.sessionId;
      try {
        if (address.trouble === undefined)
          return await connect(address.socketPath, this.#handlers(), this.#options.attach);
        if (this.#sent === 0) this.end(CLOSE.unreachable, whyUnreachable(address) ?? "");
        return undefined;
      } catch (error) {
        this.#failure = error;
        if (!address.isComing || this.#sent > 0) return undefined;
      }
      await this.#options.waitForHost(address.sessionId, LOOK_AGAIN_MS);
    }
    return undefined;
  }

  /** A task that is not there has no session either; a browser could not see any other answer. */
  #find(): TerminalAddress | undefined {
    try {
      return this.#options.find();
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  #handlers(): HostHandlers {
    const window = this.#window;
    const pipe = this.#pipe;
    return {
      attached(attached) {
        window.begin(attached.offset);
        pipe.attached?.(attached);
      },
      // What has not been drawn yet comes first.
      resync: (resync) =>
        window.pass(() => {
          window.begin(resync.offset);
          pipe.resync?.(resync);
        }, true),
      snapshot(bytes) {
        const kept = window.isFull ? bytes.slice() : bytes;
        window.pass(() => pipe.snapshot?.(kept));
      },
      output: (bytes, offset) => {
        window.output(bytes, offset);
        this.#balance();
      },
      size: (size) => window.pass(() => pipe.size?.(size)),
      live: (offset) => window.pass(() => pipe.live?.(offset)),
      exit: (exit) => {
        this.#hasEnd = true;
        window.pass(() => pipe.exit?.(exit));
      },
      drained: () => this.#balance(),
      closed: () => {
        if (this.#host !== undefined && !this.#hasEnd) this.#loseHost();
      },
    };
  }

  /** It may have left with output that this viewer was too slow for; what was kept of it is for the next connection. */
  #loseHost(): void {
    this.end(CLOSE.comeBack, "Lost the connection to the session; reconnect for the rest.");
  }

  #passOn(length: number, send: (ws: ServerWebSocket<unknown>) => number): void {
    if (this.#ws === undefined) return;
    this.#sent += length;
    // 0: not taken. A gap would be worse than a new connection, which says where to go on.
    if (send(this.#ws) === 0) this.end(CLOSE.tooSlow, "You fell too far behind.");
    this.#balance();
  }

  #type(bytes: Uint8Array): void {
    if (!isFocusReport(bytes)) this.#options.typed?.(this.sessionId ?? "");
    this.#typed += bytes.length;
    if (this.#host !== undefined) this.#host.send(bytes);
    else this.#early.push(bytes.slice());
    this.#balance();
  }

  #resize(size: Size): void {
    if (this.#host !== undefined) this.#host.resize(size);
    else this.#earlySize = size;
  }

  /**
   * Reads each side only while the other one takes what it is given. What a viewer has not read stays in
   * the host's ring then, and what a program has not read with whoever typed it. Looked at after whatever
   * is sent, a ping included: what empties a queue on the side is not followed by a drain.
   */
  #balance(): void {
    const ws = this.#ws;
    if (ws === undefined) return;
    const isBehind = ws.getBufferedAmount() > 0 || this.#window.isFull;
    if (isBehind !== this.#isHostHeld) {
      this.#isHostHeld = isBehind;
      if (isBehind) this.#host?.pause();
      else this.#host?.resume();
    }
    const early = this.#early.reduce((sum, { length }) => sum + length, 0);
    const isFull = early + (this.#host?.unsent() ?? 0) > INPUT_LIMIT;
    if (isFull && !ws.isPaused) ws.pause();
    else if (!isFull && ws.isPaused) ws.resume();
  }

  #obey(text: string): void {
    try {
      const message = parseControl(text);
      if (message?.type === "resize") this.#resize(message);
      if (message?.type !== "ack") return;
      this.#window.ack(message.offset);
      this.#balance();
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      this.end(error.code, error.message);
    }
  }
}

/** A window that gets or loses the focus says so by itself. */
const isFocusReport = (bytes: Uint8Array) =>
  bytes.length === 3 && ["\x1b[I", "\x1b[O"].includes(Buffer.from(bytes).toString("latin1"));
