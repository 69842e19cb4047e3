// The host's side of the mirror: feeds the worker from the ring, notices when it hangs, fails or falls behind, and
// replaces it. Nothing here can slow down or stop the terminal itself.

import { readFileSync } from "node:fs";
import type { TerminalEvent } from "../../vt/sticky.ts";
import type { Screen } from "../protocol/messages.ts";
import type { Theme } from "../protocol/spec.ts";
import type { Ring } from "../terminal/ring.ts";
import type { SizeChange, SizeLog } from "../terminal/size-log.ts";
import { countCalls, createCallState, seizeEngine } from "./engine-calls.ts";
import type { FromWorker, SnapshotReply, ToWorker } from "./messages.ts";
import { createRest, ENOUGH_BYTES } from "./rest.ts";
import { revokeMemory } from "./revoke-memory.ts";
import { createWatchdog } from "./watchdog.ts";

export interface MirrorOptions {
  ring: Ring;
  sizes: SizeLog;
  /** Paths of the worker's program and of the engine's WebAssembly. */
  worker: string;
  engine: string;
  version: string;
  theme: Theme;
  /** A worker that is silent for longer is replaced. */
  patienceMs: number;
  onAnswer(text: string): void;
  onEvent(event: TerminalEvent): void;
  onRestart(reason: string): void;
}

export interface Mirror {
  /** There is new output. */
  wake(): void;
  resized(change: SizeChange): void;
  snapshot(): Promise<SnapshotReply>;
  screen(): Promise<Screen & { offset: number }>;
  restarts(): number;
  close(): void;
}

/** Bytes to read at a time, so that the worker reports often. */
const STEP = ENOUGH_BYTES;
/** Up to this backlog, it always reads every byte. */
const FULL_BACKLOG = 3_145_728;
/** After a larger flood, it reads this much of the end in full. */
const CLOSING = 65_536;
/** After a pause this long, the stream is read. */
const PAUSE_MS = 20;
/** Starting the thread occupies a processor for a while, so the program and its first viewer get a head start. */
const HEAD_START_MS = 25;
/** The pause before the next attempt, which doubles while workers keep failing without progress. */
const REST_MS = 250;
const LONGEST_REST_MS = 10_000;

interface Question {
  message: ToWorker;
  from: number;
  posted: boolean;
  resolve(reply: FromWorker): void;
}

/** The first two replacements start at once; see `poisoned`. */
const restAfter = (failures: number) =>
  failures <= 2 ? 0 : Math.min(REST_MS * 2 ** (failures - 3), LONGEST_REST_MS);

export function createMirror(options: MirrorOptions): Mirror {
  const { ring, sizes } = options;
  /** None while it is being replaced. Output and questions wait meanwhile. */
  let worker: Worker | undefined;
  let url: string | undefined;
  let calls = createCallState();
  let at = 0;
  let toldTo = 0;
  let busy = true;
  let closed = false;
  let restarts = 0;
  let failures = 0;
  let diedAt = -1;
  let unsent: SizeChange[] = [];
  const rest = createRest();
  let woken = 0;
  let pause: Timer | undefined;
  let starting: Timer | undefined;
  let nextId = 1;
  /** Questions wait until the worker has read everything that was written before they were asked. */
  const waiting = new Map<number, Question>();

  const watchdog = createWatchdog({
    patienceMs: options.patienceMs,
    progress: () => countCalls(calls),
    onSilence(isStuck) {
      // `terminate` is enough for a worker that isn't stuck, because it returns to JavaScript.
      const region = isStuck ? seizeEngine(calls) : undefined;
      if (region !== undefined) revokeMemory(region);
      replace("it hung");
    },
  });
  const post = (message: ToWorker) => {
    worker?.postMessage(message);
    watchdog.expect();
  };
  const onMessage = () => {
    watchdog.rest();
    if (busy || waiting.size > 0) watchdog.expect();
  };

  const start = (offset: number) => {
    // Not by path: a file that was deleted but is still open can be read, but not imported.
    url ??= URL.createObjectURL(new Blob([readFileSync(options.worker)], { type: "text/javascript" }));
    const current = new Worker(url, { smol: true });
    worker = current;
    calls = createCallState();
    at = offset;
    current.onmessage = (event: MessageEvent<FromWorker>) => {
      if (worker === current) receive(event.data);
    };
    current.onerror = (event) => {
      if (worker === current) replace(event.message);
    };
    const { cols, rows, serial } = sizes.at(offset);
    unsent = sizes.since(offset);
    post({
      type: "start",
      ring: ring.shared,
      engine: options.engine,
      offset,
      cols,
      rows,
      resizes: serial,
      toldTo,
      version: options.version,
      theme: options.theme,
      calls,
    });
  };

  function replace(reason: string): void {
    if (closed) return;
    restarts++;
    failures++;
    worker?.terminate();
    worker = undefined;
    watchdog.rest();
    toldTo = Math.max(at, toldTo);
    // After a failure the next worker reads again from the start of the ring. If it fails at the same place, it skips
    // that.
    const poisoned = diedAt >= 0 && Math.abs(at - diedAt) <= STEP;
    diedAt = poisoned ? -1 : at;
    const from = poisoned ? ring.head : 0;
    for (const question of waiting.values()) question.posted = false;
    options.onRestart(reason);
    startIn(restAfter(failures), () => start(Math.max(from, ring.oldest)));
  }

  /** Output and questions wait until then. */
  function startIn(ms: number, act: () => void): void {
    busy = true;
    starting = setTimeout(() => {
      act();
      busy = false;
      proceed();
    }, ms);
  }

  function receive(message: FromWorker): void {
    onMessage();
    if (message.type === "started") return;
    if (message.type === "event") {
      toldTo = message.offset;
      options.onEvent(message.event);
    } else if (message.type === "failed") replace(message.message);
    else if (message.type === "answer") {
      toldTo = message.offset;
      options.onAnswer(message.text);
    } else if (message.type === "at") {
      at = message.offset;
      failures = 0;
      busy = false;
      onMessage();
      proceed();
    } else {
      failures = 0;
      waiting.get(message.id)?.resolve(message);
      waiting.delete(message.id);
      onMessage();
    }
  }

  function proceed(): void {
    advance(waiting.size > 0); // first, so that answers have the new size
    for (const question of waiting.values()) {
      if (question.posted || at < question.from) continue;
      question.posted = true;
      post(question.message);
    }
  }

  /** Lets the worker continue, unless it is busy, or output is streaming and can wait. */
  function advance(urgent: boolean): void {
    if (busy || closed || (at >= ring.head && !unsent.some((change) => change.offset <= at))) return;
    const backlog = ring.head - at;
    const overflowing = backlog > FULL_BACKLOG;
    clearTimeout(pause);
    if (!overflowing && !urgent && !rest.isDue(backlog)) {
      pause = setTimeout(() => advance(true), PAUSE_MS);
      return;
    }
    rest.reading();
    const skimUntil = overflowing ? ring.head - CLOSING : at;
    // A flood is only skimmed while it lasts. Its end is read when it pauses or somebody asks.
    const until = overflowing && !urgent ? skimUntil : Math.min(ring.head, Math.max(at, skimUntil) + STEP);
    busy = true;
    post({ type: "follow", until, skimUntil, sizes: takeSizes(until) });
  }

  function takeSizes(until: number): SizeChange[] {
    const due = unsent.filter((change) => change.offset <= until);
    unsent = unsent.filter((change) => change.offset > until);
    return due;
  }

  function ask(make: (id: number) => ToWorker): Promise<FromWorker> {
    const id = nextId++;
    return new Promise((resolve) => {
      waiting.set(id, { message: make(id), from: ring.head, posted: false, resolve });
      if (!busy) proceed();
    });
  }

  startIn(HEAD_START_MS, () => start(ring.oldest));

  return {
    wake() {
      rest.printed(ring.head - woken);
      woken = ring.head;
      advance(false);
    },
    resized(change) {
      unsent.push(change);
      advance(false);
    },
    async snapshot() {
      for (;;) {
        const reply = (await ask((id) => ({ type: "snapshot", id }))) as SnapshotReply;
        if (reply.offset >= ring.oldest) return reply;
      }
    },
    async screen() {
      const reply = (await ask((id) => ({ type: "screen", id }))) as Extract<FromWorker, { type: "screen" }>;
      return { ...reply.screen, offset: reply.offset };
    },
    restarts: () => restarts,
    close() {
      closed = true;
      watchdog.rest();
      clearTimeout(pause);
      clearTimeout(starting);
      worker?.terminate();
    },
  };
}
