// A running program and everything around it: terminal, ring, sizes, mirror, viewers, end.
import { throttleEvents } from "./mirror/events.ts";
import { createMirror } from "./mirror/mirror.ts";
import { findProcesses, MARKER, sendSignal } from "./processes/processes.ts";
import { stopEverything } from "./processes/stop.ts";
import { type Exit, type ExitRecord, writeExitRecord } from "./protocol/exit-record.ts";
import type { Activity, SignalEvent, SignalsNow, Size, Status, ToldEvent } from "./protocol/messages.ts";
import type { HostSpec } from "./protocol/spec.ts";
import { createSignals } from "./signals.ts";
import { createActivity } from "./terminal/activity.ts";
import { createPacer } from "./terminal/pacer.ts";
import { createPrograms } from "./terminal/programs.ts";
import { type Pty, type PtyOptions, startPty } from "./terminal/pty.ts";
import { Ring } from "./terminal/ring.ts";
import { SizeLog } from "./terminal/size-log.ts";
import { explainSpawnFailure } from "./terminal/spawn-failure.ts";
import { createSizeOwner } from "./viewers/size-owner.ts";
import type { Stream, Viewer } from "./viewers/viewer.ts";

/** If the program leaves more than this unread, input has to wait. */
const PENDING_INPUT = 8_388_608;
const PENDING_ANSWERS = 65_536;
const RECORD_AGAIN_MS = 1_000;

/** A report that a window gained or lost the focus, which nobody typed. */
const isFocusReport = (bytes: Uint8Array) =>
  bytes.length === 3 && bytes[0] === 0x1b && bytes[1] === 0x5b && (bytes[2] === 0x49 || bytes[2] === 0x4f);

export interface SessionEvents {
  onEvent(event: ToldEvent | Activity | SignalEvent): void;
  onEnd(record: ExitRecord): void;
  /** A problem for the log. The session goes on. */
  onTrouble(what: string): void;
  version: string;
  /** Paths of the mirror's worker and of its engine. */
  worker: string;
  engine: string;
}

export type Session = ReturnType<typeof createSession>;

export function createSession(spec: HostSpec, events: SessionEvents) {
  const startedAt = new Date().toISOString();
  const ring = new Ring(spec.bufferSize);
  const sizes = new SizeLog(spec);
  const viewers = new Set<Viewer>();
  const held = new Set<() => void>();
  let ended: Exit | undefined;
  let record: ExitRecord | undefined;
  let recording: Timer | undefined;
  let reason: ExitRecord["reason"] = "exit";
  let orphaned: Timer | undefined;
  let stopping: Promise<number[]> | undefined;
  let title = "";
  let titleAt = Date.now();
  let cwd = spec.cwd;
  let unreadAnswers = 0;

  const releaseAll = () => {
    for (const release of held) release();
    held.clear();
  };
  const pumpAll = () => {
    for (const viewer of viewers) viewer.pump();
  };
  const pacer = createPacer(() => {
    pumpAll();
    mirror.wake();
  });
  const throttle = throttleEvents(events.onEvent);
  const programs = createPrograms();
  const mirror = createMirror({
    ring,
    sizes,
    worker: events.worker,
    engine: spec.engine ?? events.engine,
    version: events.version,
    theme: spec.theme,
    patienceMs: spec.mirrorPatienceMs,
    onAnswer: (text) => answer(Buffer.from(text)),
    onEvent(event) {
      if (event.type === "title" && event.title !== title) {
        title = event.title;
        titleAt = Date.now();
      }
      if (event.type === "cwd") cwd = event.cwd;
      if (event.type !== "program") throttle.add(event);
      else if (programs.apply(event.change, Date.now()))
        throttle.add({ type: "programs", programs: programs.list() });
    },
    onRestart: (why) => events.onTrouble(`mirror replaced: ${why}`),
  });

  const signals = spec.signals && createSignals(spec.signals, events.onEvent);
  const activity = createActivity((heard) => {
    if (heard.type === "quiet") signals?.look();
    events.onEvent(heard);
  });
  const pty = start(spec, {
    argv: spec.argv,
    cwd: spec.cwd,
    env: { ...spec.env, [MARKER]: spec.sessionId },
    cols: spec.cols,
    rows: spec.rows,
    onOutput(chunk) {
      ring.append(chunk);
      pacer.add(chunk.length);
      activity.output();
    },
    onDrain() {
      unreadAnswers = 0;
      releaseAll();
    },
    onEnd(exit) {
      const endedAt = new Date().toISOString();
      const { sessionId } = spec;
      ended = exit;
      releaseAll();
      record = { sessionId, ...exit, startedAt, endedAt, offset: ring.head, reason };
      write(record);
      activity.end();
      throttle.flush();
      clearTimeout(orphaned);
      pacer.flushNow();
      events.onEnd(record);
    },
  });

  /** Limits the answers for a program that keeps asking and doesn't read. */
  const answer = (bytes: Uint8Array) => {
    if (unreadAnswers + bytes.length > PENDING_ANSWERS) return;
    unreadAnswers += bytes.length;
    pty.write(bytes);
  };

  /** Tries again and again, because a full disk may have space later. Until then `status` has the record. */
  const write = (exit: ExitRecord) => {
    try {
      writeExitRecord(spec.recordPath, exit);
    } catch (error) {
      if (recording === undefined) events.onTrouble(`no exit record yet: ${String(error)}`);
      recording = setTimeout(() => write(exit), RECORD_AGAIN_MS);
    }
  };

  const resize = (size: Size, owner: number | undefined) => {
    const { current } = sizes;
    if (ended !== undefined || (size.cols === current.cols && size.rows === current.rows)) return;
    const { cols, rows } = size;
    const change = sizes.add({ cols, rows, offset: ring.head, owner }, ring.oldest);
    pty.resize(size);
    mirror.resized(change);
    pumpAll();
  };
  const owner = createSizeOwner(resize);

  const stop = (why: ExitRecord["reason"] = "stopped") => {
    if (ended === undefined) reason = why;
    const { sessionId: id, stopGraceMs: graceMs } = spec;
    // Once the program has ended, its process id may be reused for somebody else's session.
    const leader = ended === undefined ? pty.pid : undefined;
    stopping ??= stopEverything({ id, leader, host: process.pid, graceMs })
      .catch((error) => {
        events.onTrouble(`stop: ${String(error)}`);
        return [pty.pid]; // it may still be running
      })
      .finally(() => {
        stopping = undefined;
      });
    return stopping;
  };
  const awaitOrphaned = () => {
    clearTimeout(orphaned);
    if (spec.orphanSeconds === 0 || viewers.size > 0 || ended !== undefined) return;
    orphaned = setTimeout(() => void stop("orphaned"), spec.orphanSeconds * 1_000);
  };
  awaitOrphaned();

  const stream: Stream = { ring, sizes, mirror, exit: () => ended };
  return {
    stream,
    join(viewer: Viewer) {
      viewers.add(viewer);
      clearTimeout(orphaned);
    },
    leave(viewer: Viewer) {
      if (!viewers.delete(viewer)) return;
      owner.left(viewer);
      awaitOrphaned();
    },
    /** Whether every viewer has been sent everything, including the exit. */
    isServed: () => viewers.values().every((viewer) => viewer.isServed),
    /** False means to stop for now. `release` will be called when there is room again. */
    input(bytes: Uint8Array, from: Viewer | undefined, release: () => void): boolean {
      if (from !== undefined && !isFocusReport(bytes)) owner.typed(from);
      pty.write(bytes);
      if (pty.pending() <= PENDING_INPUT || ended !== undefined) return true;
      held.add(release);
      return false;
    },
    resize(size: Size, from: Viewer | undefined) {
      if (from === undefined) resize(size, undefined);
      else owner.requests(from, size);
    },
    viewer: (id: number) => viewers.values().find((viewer) => viewer.id === id),
    signal(signal: NodeJS.Signals) {
      if (ended === undefined) sendSignal(-pty.pid, signal);
    },
    stop,
    /** What is still running of it. Nobody will know better after the host is gone. */
    leftBehind: () => findProcesses(spec.sessionId, { host: process.pid }).own,
    screen: () => mirror.screen(),
    signals: (): SignalsNow => signals?.now() ?? { latest: [], asks: [] },
    answer: (ask: string, body: string | null) => signals?.answer(ask, body) ?? false,
    status: (): Status => ({
      sessionId: spec.sessionId,
      hostPid: process.pid,
      pid: pty.pid,
      startedAt,
      cols: sizes.current.cols,
      rows: sizes.current.rows,
      viewers: viewers.size,
      offset: ring.head,
      title,
      titleAt,
      cwd,
      quiet: activity.isQuiet(),
      lastOutputAt: activity.lastOutputAt(),
      exit: ended ?? null,
      record: record ?? null,
      mirrorRestarts: mirror.restarts(),
      hasSignals: signals !== undefined,
      programs: programs.list(),
    }),
    close() {
      clearTimeout(orphaned);
      clearTimeout(recording);
      signals?.close();
      mirror.close();
      pty.close();
    },
  };
}

function start(spec: HostSpec, options: PtyOptions): Pty {
  try {
    return startPty(options);
  } catch (error) {
    throw explainSpawnFailure(error, spec);
  }
}
