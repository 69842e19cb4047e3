// Processor time for output that streams, host and server together, with and without a viewer: against the same without
// a mirror, against ttyd, and against a terminal that is only read. And for sessions that do nothing.
import { dlopen, FFIType } from "bun:ffi";
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LaunchedHost } from "../../../src/host/client/launch.ts";
import { hostProgram } from "../../../src/host/client/program.ts";
import { completeSpec, type HostRequest } from "../../../src/host/protocol/spec.ts";
import { gate } from "../../../test/support/gate.ts";
import { SessionBoard } from "../../../test/support/sessions.ts";
import { tempDir } from "../../../test/support/temp.ts";
import { TerminalBoard } from "../../../test/support/terminal-board.ts";
import type { TestViewer } from "../../../test/support/viewer.ts";
import { median, type Row } from "../../row.ts";
import { type Drain, findTtyd, makeDrain } from "../drain.ts";

const MEGABYTE = 1_000_000;
const FLOOD = 0;
const RATES = [1, 5, 20, FLOOD];
const SECONDS = 3;
/** Megabytes that are not counted: what runs for the first time has still to be compiled. */
const WARM_UP = 12;
const FLOOD_MEGABYTES = 200;
const ROUNDS = 3;
const IDLE = 50;
const IDLE_SECONDS = 20;
/** After a start Bun looks every second whether there is garbage, and after a while only now and then. */
const SETTLED_SECONDS = 40;
const ACK_BYTES = 65_536;

const libc = dlopen("libc.so.6", {
  clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
});

/** Nanoseconds that these processes have run, with the threads that have ended. */
function ran(pids: number[]): number {
  const time = new BigInt64Array(2);
  return pids.reduce((sum, pid) => {
    // The processor time clock of a process, as clock_getcpuclockid(3) makes it.
    if (libc.symbols.clock_gettime((~pid << 3) | 2, time) !== 0) throw new Error(`${pid} is not there`);
    return sum + Number(time[0]) * 1e9 + Number(time[1]);
  }, 0);
}

interface Load {
  bytes: number;
  /** A shell command that prints it, once it is let. */
  command: string;
  /** Lets it begin, and resolves when it is warm. */
  go(): Promise<void>;
  printed(): Promise<void>;
}

/** Gives milliseconds per megabyte. */
type Side = (load: Load) => Promise<number>;

async function measure(pids: number[], { bytes, go }: Load, done: Promise<unknown>): Promise<number> {
  await Bun.sleep(300);
  await go();
  const before = ran(pids);
  await done;
  return (ran(pids) - before) / 1e6 / (bytes / MEGABYTE);
}

/** `done` resolves with how much of it never came. */
async function viewed(open: (onBytes: (bytes: Uint8Array) => void) => TestViewer, bytes: number) {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let acked = 0;
  const look = () => {
    if (viewer.offset - acked >= ACK_BYTES) {
      acked = viewer.offset;
      viewer.say({ type: "ack", offset: acked });
    }
    if (viewer.offset < bytes) return;
    const lost = viewer.controls.map((control) => (control.type === "resync" ? control.lost : 0));
    resolve(lost.reduce((a, b) => a + b, 0));
  };
  const viewer = open(() => queueMicrotask(look));
  viewer.socket.addEventListener("close", ({ reason }) =>
    reject(new Error(`the viewer was closed: ${reason}`)),
  );
  await viewer.live();
  return { done: promise };
}

let skipped = 0;

function hosted(
  board: TerminalBoard,
  hasViewer: boolean,
  launch?: (request: HostRequest) => Promise<LaunchedHost>,
): Side {
  return async (load) => {
    const argv = ["sh", "-c", load.command];
    const session = await board.run(argv, { mirrorPatienceMs: 3_600_000 }, launch);
    // From its start on the server watches what runs, as it watches every session.
    await board.server.restart();
    const pids = [session.hostPid, board.server.pid];
    if (!hasViewer) return measure(pids, load, load.printed());
    const { done } = await viewed(
      (onBytes) => board.watch(session.task.id, { onBytes }),
      WARM_UP * MEGABYTE + load.bytes,
    );
    const time = await measure(pids, load, done);
    if (launch === undefined) skipped += await done;
    return time;
  };
}

/** A program that prints its address; what a viewer is sent of it, counted by `bytesOf`. */
async function viewedOver(
  child: Bun.Subprocess<"ignore", "pipe">,
  open: (said: string) => WebSocket | undefined,
  bytesOf: (data: ArrayBuffer) => number,
  load: Load,
): Promise<number> {
  let said = "";
  let socket: WebSocket | undefined;
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk);
    socket = open(said);
    if (socket !== undefined) break;
  }
  if (socket === undefined) throw new Error(`there is no address: ${said}`);
  socket.binaryType = "arraybuffer";
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  socket.onmessage = ({ data }) => {
    seen += bytesOf(data);
    if (seen >= WARM_UP * MEGABYTE + load.bytes) resolve();
  };
  const time = await measure([child.pid], load, done);
  socket.close();
  child.kill();
  await child.exited;
  return time;
}

/** What ttyd does, in the same runtime. */
const inOneProcess: Side = (load) =>
  viewedOver(
    Bun.spawn([process.execPath, join(import.meta.dir, "one-process.ts"), load.command], {
      stdin: "ignore",
      stdout: "pipe",
    }),
    (said) => (said.endsWith("\n") ? new WebSocket(said.trim().replace(/^http/, "ws")) : undefined),
    (data) => data.byteLength,
    load,
  );

/** Its output has a letter in front of each message. */
const inTtyd =
  (ttyd: string): Side =>
  (load) =>
    viewedOver(
      Bun.spawn(["sh", "-c", 'exec "$0" --port 0 --interface lo sh -c "$1" 2>&1', ttyd, load.command], {
        stdin: "ignore",
        stdout: "pipe",
      }),
      (said) => {
        const port = /Listening on port: (\d+)/.exec(said)?.[1];
        if (port === undefined) return undefined;
        const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
          protocols: ["tty"],
          perMessageDeflate: false,
        } as never);
        socket.onopen = () => socket.send(Buffer.from('{"AuthToken":"","columns":80,"rows":24}'));
        return socket;
      },
      (data) => (new Uint8Array(data)[0] === "0".charCodeAt(0) ? data.byteLength - 1 : 0),
      load,
    );

const onlyRead =
  (drain: Drain): Side =>
  async (load) => {
    await using child = Bun.spawn(drain.argv(load.command), { stdin: "pipe", stdout: "ignore" });
    const time = await measure([child.pid], load, load.printed());
    child.kill();
    return time;
  };

async function round(sides: Record<string, Side>, rate: number): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const [name, side] of Object.entries(sides)) {
    using start = gate();
    using folder = tempDir("printed");
    const told = async (what: string) => {
      while (!existsSync(join(folder.path, what))) await Bun.sleep(20);
    };
    const bytes = rate === FLOOD ? FLOOD_MEGABYTES * MEGABYTE : rate * MEGABYTE * SECONDS;
    const print = `${process.execPath} ${join(import.meta.dir, "print.ts")} ${WARM_UP * MEGABYTE} ${bytes} ${rate * MEGABYTE} ${folder.path}`;
    times[name] = await side({
      bytes,
      command: `stty raw -echo; ${start.wait}; ${print}; sleep 5`,
      async go() {
        await start.open();
        await told("warm");
      },
      printed: () => told("printed"),
    });
  }
  return times;
}

/** A host whose mirror's worker never does anything. */
function withoutMirror(folder: string) {
  cpSync(dirname(hostProgram()), folder, { recursive: true });
  writeFileSync(join(folder, "worker.js"), "onmessage = () => {};");
  return async (request: HostRequest): Promise<LaunchedHost> => {
    const stdin = Buffer.from(JSON.stringify(completeSpec(request)));
    const child = Bun.spawn([process.execPath, join(folder, "main.js")], { stdin, stdout: "pipe", cwd: "/" });
    child.unref();
    for await (const chunk of child.stdout) {
      const report = Buffer.from(chunk)
        .toString()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const started = report.find(({ ready }) => ready);
      if (started !== undefined) return { hostPid: child.pid, pid: started.pid, scoped: false };
    }
    throw new Error("the host without a mirror did not start");
  };
}

/** Started, watched and read as any other. */
async function idle(): Promise<Row> {
  await using board = await SessionBoard.start();
  const hosts: number[] = [];
  for (let i = 0; i < IDLE; i += 1) hosts.push(board.hostOf(await board.running("echo on; exec cat")));
  await Bun.sleep(SETTLED_SECONDS * 1_000);
  const pids = [board.server.pid, ...hosts];
  const before = ran(pids);
  await Bun.sleep(IDLE_SECONDS * 1_000);
  return {
    name: `${IDLE} idle sessions and the server`,
    value: ((ran(pids) - before) / 1e9 / IDLE_SECONDS) * 100,
    unit: "% of a core",
    target: "≤ 1",
  };
}

export async function steady(): Promise<Row[]> {
  await using board = await TerminalBoard.start();
  using folder = tempDir("without-mirror");
  const bare = withoutMirror(folder.path);
  const drain = makeDrain(folder.path);
  const ttyd = await findTtyd();
  const sides: Record<string, Side> = {
    drain: onlyRead(drain),
    ttyd: ttyd === undefined ? inOneProcess : inTtyd(ttyd),
    bare: hosted(board, false, bare),
    ours: hosted(board, false),
    "bare, viewed": hosted(board, true, bare),
    "ours, viewed": hosted(board, true),
  };
  const rows: Row[] = [];
  for (const rate of RATES) {
    const rounds: Record<string, number>[] = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push(await round(sides, rate));
    const value = (side: string) => median(rounds.map((times) => times[side] ?? Number.NaN));
    const ratio = (side: string, other: string) =>
      median(rounds.map((times) => (times[side] ?? Number.NaN) / (times[other] ?? Number.NaN)));
    const at = rate === FLOOD ? "flood" : `${rate} MB/s`;
    const row = (name: string, side: string, other?: string, against = "", target?: string) => {
      const compared = other === undefined ? {} : { ratio: ratio(side, other), against };
      rows.push({
        name: `${at}: ${name}`,
        value: value(side),
        unit: "ms/MB",
        ...compared,
        ...(target && { target }),
      });
    };
    const target = "≤ 1.3";
    const viewer = ttyd === undefined ? "terminal and WebSocket in one process" : "ttyd";
    row(drain.name, "drain");
    row(`${viewer}, a viewer`, "ttyd");
    row("host and server, no viewer", "ours", "bare", "the same without a mirror", target);
    row("host and server, a viewer", "ours, viewed", "bare, viewed", "the same without a mirror", target);
    row("host and server, a viewer", "ours, viewed", "ttyd", viewer, rate === FLOOD ? "≤ 0.7" : undefined);
    row("host and server, a viewer", "ours, viewed", "drain", drain.name);
  }
  rows.push({ name: "skipped by the viewer", value: skipped / MEGABYTE, unit: "MB", target: "0" });
  rows.push(await idle());
  return rows;
}
