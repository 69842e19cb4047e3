// Talks to a session host: what the server, the tests and a command line share.
import type { Socket } from "bun";
import type { Happening } from "../vt/sticky.ts";
import type { Activity } from "./activity.ts";
import { FrameReader } from "./frame-reader.ts";
import type { Screen } from "./mirror/terminal.ts";
import {
  type Attached,
  type AttachRequest,
  ClientFrame,
  type Exit,
  encodeFrame,
  encodeJson,
  HostFrame,
  MAX_HOST_FRAME,
  PROTOCOL_VERSION,
  parseJson,
  parseOutput,
  type Resync,
  type Status,
} from "./protocol.ts";
import type { SignalEvent, SignalsNow } from "./signals.ts";
import type { Size } from "./size-log.ts";

export type HostEvent = Happening | Activity | SignalEvent | ({ type: "exit"; reason: string } & Exit);

/** What happens on a connection. Bytes are views that are valid only during the call. */
export interface ClientHandlers {
  attached?(attached: Attached): void;
  /** Stands for everything before the next output: the emulator is to be cleared first. */
  snapshot?(bytes: Uint8Array): void;
  output?(bytes: Uint8Array, offset: number): void;
  size?(size: Size & { owner: number | null }): void;
  live?(offset: number): void;
  resync?(resync: Resync): void;
  exit?(exit: Exit): void;
  event?(event: HostEvent): void;
  /** Everything sent so far has been taken by the host. */
  drained?(): void;
  closed?(): void;
}

export interface HostClient {
  /** What the host said of itself when the connection was made. */
  readonly hello: Status;
  attach(request?: AttachRequest): void;
  send(input: Uint8Array | string): void;
  /** Bytes sent that the host has not taken yet: it waits while the program does not read. */
  unsent(): number;
  resize(size: Size): void;
  /** On behalf of another viewer, or of nobody, which always counts; false when that viewer is gone. */
  resizeFor(viewer: number | undefined, size: Size): Promise<boolean>;
  ack(offset: number): void;
  signal(signal: NodeJS.Signals): void;
  /** Ends everything the session started; gives the process ids that would not end. */
  stop(): Promise<number[]>;
  screen(): Promise<Screen & { offset: number }>;
  status(): Promise<Status>;
  /** Titles, bells, notifications, output and quiet, and the end are told from now on. */
  subscribe(): void;
  /** What the program has said beside its terminal. */
  signals(): Promise<SignalsNow>;
  /** Answers what the program asks there, or with null only lets it go; false when that is over already. */
  answer(ask: string, body: string | null): Promise<boolean>;
  /** The exit record has been taken over: the host may go. */
  collect(): void;
  /** Stops reading, as a viewer that is too slow would. */
  pause(): void;
  resume(): void;
  /** What was sent before still goes out, unless the host does not take it for a while. */
  close(): void;
}

/** Bytes the socket did not take yet; input is never dropped. */
class Sender {
  #waiting: Uint8Array[] = [];
  bytes = 0;
  socket: Socket<unknown> | undefined;

  send(frame: Uint8Array): void {
    this.#waiting.push(frame);
    this.bytes += frame.length;
    this.flush();
  }

  flush(): void {
    while (this.socket !== undefined && this.#waiting[0] !== undefined) {
      const frame = this.#waiting[0];
      const written = Math.max(this.socket.write(frame), 0);
      this.bytes -= written;
      if (written < frame.length) {
        this.#waiting[0] = frame.subarray(written);
        return;
      }
      this.#waiting.shift();
    }
  }
}

/** A host that says nothing for so long hangs. */
const PATIENCE_MS = 5_000;

/** With `attach` the stream begins at once, a moment before the client is there to be used. */
export async function connectHost(
  path: string,
  handlers: ClientHandlers = {},
  attach?: AttachRequest,
): Promise<HostClient> {
  const sender = new Sender();
  const questions = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  const hello = Promise.withResolvers<Status>();
  let nextId = 1;
  let impatience: Timer | undefined;
  let isLeaving = false;
  let isGone = false;
  let complaint = "the session host closed the connection";

  const answer = ({ id, ...rest }: Record<string, unknown>) => {
    questions.get(Number(id))?.resolve(rest);
    questions.delete(Number(id));
  };
  const ask = <T>(type: number, more: Record<string, unknown> = {}) =>
    new Promise<T>((resolve, reject) => {
      if (isGone) throw new Error(complaint);
      const id = nextId++;
      questions.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      sender.send(encodeJson(type, { id, ...more }));
    });
  const receive = (type: number, payload: Uint8Array) => {
    if (type === HostFrame.output) {
      const { offset, bytes } = parseOutput(payload);
      handlers.output?.(bytes, offset);
      return;
    }
    if (type === HostFrame.snapshot) {
      handlers.snapshot?.(payload);
      return;
    }
    const body = parseJson(payload) as never;
    if (type === HostFrame.hello) hello.resolve(body);
    else if (type === HostFrame.attached) handlers.attached?.(body);
    else if (type === HostFrame.size) handlers.size?.(body);
    else if (type === HostFrame.live) handlers.live?.((body as { offset: number }).offset);
    else if (type === HostFrame.resync) handlers.resync?.(body);
    else if (type === HostFrame.exit) handlers.exit?.(body);
    else if (type === HostFrame.event) handlers.event?.(body);
    else if (type === HostFrame.refused || type === HostFrame.error) {
      complaint = (body as { message: string }).message;
    } else answer(body); // also what nobody asked for: nothing at all, or a newer host's news
  };
  const reader = new FrameReader(MAX_HOST_FRAME, receive);
  const gone = () => {
    isGone = true;
    clearTimeout(impatience);
    hello.reject(new Error(complaint));
    for (const { reject } of questions.values()) reject(new Error(complaint));
    questions.clear();
    handlers.closed?.();
  };

  const socket = await Bun.connect({
    unix: path,
    socket: {
      data: (_socket, chunk) => reader.feed(chunk),
      drain() {
        sender.flush();
        if (sender.bytes > 0) return;
        handlers.drained?.();
        if (isLeaving) socket.end();
      },
      close: gone,
      /** Also when a frame makes no sense: whoever sends that is no host of ours. */
      error: (socket) => socket.terminate(),
    },
  });
  impatience = setTimeout(() => {
    complaint = "the session host does not answer";
    socket.terminate();
  }, PATIENCE_MS);
  sender.socket = socket;
  sender.send(encodeJson(ClientFrame.hello, { version: PROTOCOL_VERSION }));
  if (attach !== undefined) sender.send(encodeJson(ClientFrame.attach, attach));
  const introduced = await hello.promise;
  clearTimeout(impatience);
  if (isGone) throw new Error(complaint);

  return {
    hello: introduced,
    attach: (request = {}) => sender.send(encodeJson(ClientFrame.attach, request)),
    send: (input) =>
      sender.send(encodeFrame(ClientFrame.input, typeof input === "string" ? Buffer.from(input) : input)),
    unsent: () => sender.bytes,
    resizeFor: async (viewer, { cols, rows }) =>
      (await ask<{ isKnown: boolean }>(ClientFrame.resize, { viewer, cols, rows })).isKnown,
    resize: ({ cols, rows }) => sender.send(encodeJson(ClientFrame.resize, { cols, rows })),
    ack: (offset) => sender.send(encodeJson(ClientFrame.ack, { offset })),
    signal: (signal) => sender.send(encodeJson(ClientFrame.signal, { signal })),
    stop: async () => (await ask<{ left: number[] }>(ClientFrame.stop)).left,
    screen: () => ask(ClientFrame.screen),
    status: () => ask(ClientFrame.status),
    subscribe: () => sender.send(encodeFrame(ClientFrame.subscribe)),
    signals: async () =>
      introduced.hasSignals ? ask<SignalsNow>(ClientFrame.signals) : { latest: [], asks: [] },
    answer: async (id, body) =>
      introduced.hasSignals === true &&
      (await ask<{ isOpen: boolean }>(ClientFrame.answer, { ask: id, body })).isOpen,
    collect: () => sender.send(encodeFrame(ClientFrame.collect)),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close() {
      if (sender.bytes === 0) socket.end();
      else if (!isLeaving) {
        isLeaving = true;
        impatience = setTimeout(() => socket.terminate(), PATIENCE_MS);
      }
    },
  };
}
