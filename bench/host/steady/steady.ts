// Processor time for output that streams, host and server together, with and without a viewer: against the same without
// a mirror, against a terminal and a WebSocket in one process, as ttyd is, and against a terminal that is only read.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { connectHost } from "../../../src/host/client/connect.ts";
import type { LaunchedHost } from "../../../src/host/client/launch.ts";
import { hostProgram } from "../../../src/host/client/program.ts";
import { completeSpec, type HostRequest } from "../../../src/host/protocol/spec.ts";
import { gate } from "../../../test/support/gate.ts";
import { tempDir } from "../../../test/support/temp.ts";
import { TerminalBoard } from "../../../test/support/terminal-board.ts";
import type { TestViewer } from "../../../test/support/viewer.ts";
import { median, type Row } from "../../row.ts";

const MEGABYTE = 1_000_000;
const FLOOD = 0;
const RATES = [1, 5, 20, FLOOD];
const SECONDS = 3;
/** Megabytes that are not counted: what runs for the first time has still to be compiled. */
const WARM_UP = 12;
const FLOOD_MEGABYTES = 200;
const ROUNDS = 3;
const IDLE = 50;
const IDLE_SECONDS = 10;
const ACK_BYTES = 65_536;

/** Nanoseconds that the threads of these processes have run. */
const ran = (pids: number[]) =>
  pids
    .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/schedstat`))
    .reduce((sum, path) => sum + Number(readFileSync(path, "utf8").split(" ")[0]), 0);

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

/** As the server watches the terminals of its cards. */
async function watch(socketPath: string): Promise<void> {
  const host = await connectHost(socketPath, {
    event: ({ type }) => {
      if (type === "output" || type === "quiet") void host.screen().catch(() => {});
    },
  });
  host.subscribe();
}

/** `done` resolves with how much of it never came. */
async function viewed(open: (onBytes: (bytes: Uint8Array) => void) => TestViewer, bytes: number) {
  const { promise, resolve } = Promise.withResolvers<number>();
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
    const pids = [session.hostPid, board.server.pid];
    if (launch === undefined) await watch(session.socketPath);
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

const inOneProcess: Side = async (load) => {
  await using child = Bun.spawn([process.execPath, join(import.meta.dir, "one-process.ts"), load.command], {
    stdout: "pipe",
  });
  const { value = new Uint8Array() } = await child.stdout.getReader().read();
  const socket = new WebSocket(new TextDecoder().decode(value).trim().replace(/^http/, "ws"));
  socket.binaryType = "arraybuffer";
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  socket.onmessage = ({ data }) => {
    seen += data.byteLength;
    if (seen >= WARM_UP * MEGABYTE + load.bytes) resolve();
  };
  const time = await measure([child.pid], load, done);
  socket.close();
  child.kill();
  return time;
};

/** By `script`, which is a C program. */
const onlyRead: Side = async (load) => {
  await using child = Bun.spawn(["script", "-qc", load.command, "/dev/null"], {
    stdin: "pipe",
    stdout: "ignore",
  });
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

async function idle(board: TerminalBoard): Promise<Row> {
  const sessions = await Promise.all(Array.from({ length: IDLE }, () => board.run(["cat"])));
  await Promise.all(sessions.map(({ socketPath }) => watch(socketPath)));
  await Bun.sleep(3_000);
  const pids = [board.server.pid, ...sessions.map(({ hostPid }) => hostPid)];
  const before = ran(pids);
  await Bun.sleep(IDLE_SECONDS * 1_000);
  return {
    name: `${IDLE} idle sessions and the server`,
    value: ((ran(pids) - before) / 1e9 / IDLE_SECONDS) * 100,
    unit: "% of a core",
    target: "≤ 1",
  };
}

const SIDES = (board: TerminalBoard, launchBare: (request: HostRequest) => Promise<LaunchedHost>) => ({
  drain: onlyRead,
  one: inOneProcess,
  bare: hosted(board, false, launchBare),
  ours: hosted(board, false),
  "bare, viewed": hosted(board, true, launchBare),
  "ours, viewed": hosted(board, true),
});

export async function steady(): Promise<Row[]> {
  await using board = await TerminalBoard.start();
  using folder = tempDir("without-mirror");
  const sides = SIDES(board, withoutMirror(folder.path));
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
    row("only read, by script(1)", "drain");
    row("terminal and WebSocket in one process", "one");
    row("host and server, no viewer", "ours", "bare", "the same without a mirror", target);
    row("host and server, a viewer", "ours, viewed", "bare, viewed", "the same without a mirror", target);
    row("host and server, a viewer", "ours, viewed", "one", "one process");
    row("host and server, a viewer", "ours, viewed", "drain", "only read");
  }
  rows.push({ name: "skipped by the viewer", value: skipped / MEGABYTE, unit: "MB", target: "0" });
  rows.push(await idle(board));
  return rows;
}
