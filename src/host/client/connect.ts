// A client's connection to a session host.
import type { Exit } from "../protocol/exit-record.ts";
import { FrameReader } from "../protocol/frame-reader.ts";
import {
  ClientFrame,
  encodeFrame,
  encodeJson,
  HostFrame,
  MAX_HOST_FRAME,
  PROTOCOL_VERSION,
  parseJson,
  parseOutput,
} from "../protocol/frames.ts";
import type {
  Attached,
  AttachRequest,
  HostEvent,
  Resync,
  Screen,
  SignalsNow,
  Size,
  Status,
} from "../protocol/messages.ts";
import { Outbox } from "../protocol/outbox.ts";

/** Called for what happens on a connection. Bytes are views that are valid only during the call. */
export interface ClientHandlers {
  attached?(attached: Attached): void;
  /** Replaces all earlier output. The emulator has to be cleared first. */
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
  /** Bytes that the host has not taken yet: it waits while the program does not read. */
  unsent(): number;
  resize(size: Size): void;
  /** Resizes on behalf of another viewer; or of nobody, which always counts. False if that viewer is gone. */
  resizeFor(viewer: number | undefined, size: Size): Promise<boolean>;
  signal(signal: NodeJS.Signals): void;
  /** Ends everything the session started. Resolves with the ids of processes that would not end. */
  stop(): Promise<number[]>;
  screen(): Promise<Screen & { offset: number }>;
  status(): Promise<Status>;
  /** From now on, reports titles, bells, notifications, output, quiet and the end. */
  subscribe(): void;
  /** What the program has reported apart from its terminal. */
  signals(): Promise<SignalsNow>;
  /** Answers an ask, or with null just lets it go. False if it is over already. */
  answer(ask: string, body: string | null): Promise<boolean>;
  /** The exit record has been read, so the host may exit. */
  collect(): void;
  /** Stops reading, as a viewer that is too slow would. */
  pause(): void;
  resume(): void;
  /** Bun does not report the end of a socket that isn't read, so this finds out with a write. */
  isGone(): boolean;
  /** What was sent before still goes out, unless the host doesn't take it for a while. */
  close(): void;
}

/** The host is running, but speaks the protocol of another version. */
export class OtherVersion extends Error {
  constructor(
    message: string,
    readonly isOlder: boolean,
  ) {
    super(message);
  }
}

/** If it is silent for longer, the host hangs. */
const TIMEOUT_MS = 5_000;

/** With `attach` the stream begins at once, a moment before the client can be used. */
export async function connectHost(
  path: string,
  handlers: ClientHandlers = {},
  attach?: AttachRequest,
): Promise<HostClient> {
  const requests = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  const hello = Promise.withResolvers<Status>();
  let outbox: Outbox | undefined;
  let nextId = 1;
  let timeout: Timer | undefined;
  let isClosing = false;
  let isClosed = false;
  let reason = new Error("the session host closed the connection");

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
    else if (type === HostFrame.refused) {
      const { message, version } = body as { message: string; version: number };
      reason = new OtherVersion(message, version < PROTOCOL_VERSION);
    } else if (type === HostFrame.error) reason = new Error((body as { message: string }).message);
    else settle(body); // anything unknown belongs to no request
  };
  const settle = ({ id, ...answer }: Record<string, unknown>) => {
    requests.get(Number(id))?.resolve(answer);
    requests.delete(Number(id));
  };
  const reader = new FrameReader(MAX_HOST_FRAME, receive);

  const socket = await Bun.connect({
    unix: path,
    socket: {
      data: (_socket, chunk) => reader.feed(chunk),
      drain() {
        outbox?.flush();
        if (!outbox?.isClear) return;
        handlers.drained?.();
        if (isClosing) socket.end();
      },
      close() {
        isClosed = true;
        clearTimeout(timeout);
        hello.reject(reason);
        for (const { reject } of requests.values()) reject(reason);
        requests.clear();
        handlers.closed?.();
      },
      /** Also for a frame that makes no sense, because it can't be from one of our hosts. */
      error: (socket) => socket.terminate(),
    },
  });
  const frames = new Outbox(socket);
  outbox = frames;
  const send = (type: number, body: object = {}) => frames.send(encodeJson(type, body));
  const request = <T>(type: number, body: object = {}) =>
    new Promise<T>((resolve, reject) => {
      if (isClosed) throw reason;
      const id = nextId++;
      requests.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      send(type, { id, ...body });
    });

  timeout = setTimeout(() => {
    reason = new Error("the session host isn't answering");
    socket.terminate();
  }, TIMEOUT_MS);
  send(ClientFrame.hello, { version: PROTOCOL_VERSION });
  if (attach !== undefined) send(ClientFrame.attach, attach);
  const status = await hello.promise;
  clearTimeout(timeout);
  if (isClosed) throw reason;

  return {
    hello: status,
    attach: (attach = {}) => send(ClientFrame.attach, attach),
    send: (input) =>
      frames.send(encodeFrame(ClientFrame.input, typeof input === "string" ? Buffer.from(input) : input)),
    unsent: () => frames.bytes,
    resizeFor: async (viewer, { cols, rows }) =>
      (await request<{ isKnown: boolean }>(ClientFrame.resize, { viewer, cols, rows })).isKnown,
    resize: ({ cols, rows }) => send(ClientFrame.resize, { cols, rows }),
    signal: (signal) => send(ClientFrame.signal, { signal }),
    stop: async () => (await request<{ left: number[] }>(ClientFrame.stop)).left,
    screen: () => request(ClientFrame.screen),
    status: () => request(ClientFrame.status),
    subscribe: () => send(ClientFrame.subscribe),
    signals: async () =>
      status.hasSignals ? request<SignalsNow>(ClientFrame.signals) : { latest: [], asks: [] },
    answer: async (ask, body) =>
      status.hasSignals === true &&
      (await request<{ isOpen: boolean }>(ClientFrame.answer, { ask, body })).isOpen,
    collect: () => send(ClientFrame.collect),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    isGone() {
      if (frames.isClear) frames.send(encodeFrame(ClientFrame.nothing));
      return frames.isRefused;
    },
    close() {
      if (frames.isClear) socket.end();
      else if (!isClosing) {
        isClosing = true;
        timeout = setTimeout(() => socket.terminate(), TIMEOUT_MS);
      }
    },
  };
}
