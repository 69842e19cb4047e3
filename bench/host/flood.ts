// A file of text as fast as it goes: terminals that are only read, in C and here, against host, socket and viewer.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startHost } from "../../test/host/support/host.ts";
import { gate } from "../../test/support/gate.ts";
import { tempDir } from "../../test/support/temp.ts";
import { median, type Row } from "../row.ts";
import { type Drain, makeDrain } from "./drain.ts";

const MEGABYTES = 96;
const ROUNDS = 9;
const RAW_CAT = 'stty raw -echo; read go; exec cat "$1"';

/** Megabytes a second, from the first byte to the end of the program. */
async function drained(drain: Drain, file: string, length: number): Promise<number> {
  using start = gate();
  const child = Bun.spawn(drain.argv(`stty raw -echo; ${start.wait}; exec cat '${file}'`), {
    stdin: "pipe",
    stdout: "ignore",
  });
  await Bun.sleep(100);
  const started = performance.now();
  await start.open();
  await child.exited;
  return length / 1e6 / ((performance.now() - started) / 1_000);
}

async function bareTerminal(file: string, length: number): Promise<number> {
  let seen = 0;
  const done = Promise.withResolvers<void>();
  const child = Bun.spawn(["sh", "-c", RAW_CAT, "sh", file], {
    terminal: {
      cols: 80,
      rows: 24,
      data(_terminal, chunk) {
        seen += chunk.length;
        if (seen >= length) done.resolve();
      },
    },
  });
  await Bun.sleep(100);
  const started = performance.now();
  child.terminal?.write("\n");
  await done.promise;
  const seconds = (performance.now() - started) / 1_000;
  await child.exited;
  child.terminal?.close();
  return length / 1e6 / seconds;
}

/** What a viewer that was not let run in time had to skip; nothing, on a machine of its own. */
let skipped = 0;

async function throughHost(file: string, length: number): Promise<number> {
  await using host = await startHost(["sh", "-c", RAW_CAT, "sh", file]);
  const done = Promise.withResolvers<void>();
  const reached = (offset: number) => {
    if (offset >= length) done.resolve();
  };
  const client = await host.connect({
    output: (bytes, offset) => reached(offset + bytes.length),
    resync({ offset, lost }) {
      skipped += lost;
      reached(offset);
    },
  });
  client.attach();
  await Bun.sleep(100);
  const started = performance.now();
  client.send("\n");
  await done.promise;
  return length / 1e6 / ((performance.now() - started) / 1_000);
}

export async function flood(): Promise<Row[]> {
  using dir = tempDir("flood");
  const file = join(dir.path, "text");
  const line =
    "\x1b[32mok\x1b[0m 2026-01-01 the quick brown fox jumps over the lazy dog, again and again\r\n";
  writeFileSync(file, line.repeat(Math.ceil((MEGABYTES * 1e6) / line.length)));
  const length = Bun.file(file).size;
  const drain = makeDrain(dir.path);
  const [inC, bare, hosted]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < ROUNDS; i++) {
    inC.push(await drained(drain, file, length));
    bare.push(await bareTerminal(file, length));
    hosted.push(await throughHost(file, length));
  }
  // Of neighbours: other work on the machine then weighs on both.
  const against = (others: number[]) => median(hosted.map((rate, i) => rate / (others[i] ?? Number.NaN)));
  return [
    { name: `flood: ${drain.name}`, value: median(inC), unit: "MB/s" },
    { name: "flood: bare terminal of Bun's", value: median(bare), unit: "MB/s" },
    {
      name: "flood: host, socket, viewer",
      value: median(hosted),
      unit: "MB/s",
      ratio: against(inC),
      against: drain.name,
      target: "≥ 0.88",
    },
    {
      name: "flood: host, socket, viewer",
      value: median(hosted),
      unit: "MB/s",
      ratio: against(bare),
      against: "Bun's terminal",
    },
    { name: "flood: skipped by the viewer", value: skipped / 1e6, unit: "MB", target: "0" },
  ];
}
