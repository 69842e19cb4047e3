// The same question as in screen-exact.ts, asked while output streams through a real session host, so that its mirror
// rests most of the time: viewers come at any moment, and the program does not wait for them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gate } from "../../support/gate.ts";
import { createEmulator, look } from "./emulator.ts";
import { startHost, type TestHost } from "./host.ts";
import { compare, emptyScore, type Recording, random, type Score } from "./score.ts";

const PRINT = `
  const { readFileSync, writeSync } = require("node:fs");
  const bytes = readFileSync("stream");
  const began = performance.now();
  for (let at = 0; at < bytes.length; await Bun.sleep(1)) {
    const due = Math.min(bytes.length, (performance.now() - began) / 1000 * Number(process.env.RATE));
    while (at < due) at += writeSync(1, bytes, at, Math.min(4096, bytes.length - at));
  }`;
/** Output that follows on a snapshot before screens are compared, at most. */
const MOST_AFTER = 8_000;

/** In parts, as they come from a host. */
function write(emulator: ReturnType<typeof createEmulator>, bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 65_536) emulator.write(bytes.subarray(at, at + 65_536));
}

interface Snapshot {
  offset: number;
  cols: number;
  rows: number;
  state: Uint8Array;
}

function snapshotOf(host: TestHost): Promise<Snapshot> {
  const { promise, resolve } = Promise.withResolvers<Snapshot>();
  void (async () => {
    let told = { offset: 0, cols: 0, rows: 0 };
    const client = await host.connect({
      attached: (attached) => {
        told = attached;
      },
      snapshot(bytes) {
        resolve({ ...told, state: bytes.slice() });
        client.close();
      },
    });
    client.attach({ snapshot: true });
  })();
  return promise;
}

/** `rate` in bytes each second. */
export async function screenExactWhileStreaming(
  recording: Recording,
  { rate, viewers, seed }: { rate: number; viewers: number; seed: number },
): Promise<Score> {
  const { name, cols, rows, bytes } = recording;
  const next = random(seed);
  using start = gate();
  const argv = ["sh", "-c", `stty raw -echo; ${start.wait}; exec "$0" -e "$1"`, process.execPath, PRINT];
  const env = { PATH: process.env.PATH ?? "", TERM: "xterm-256color", RATE: String(rate) };
  await using host = await startHost(argv, { cols, rows, env, orphanSeconds: 60, lingerSeconds: 30 });
  writeFileSync(join(host.dir, "stream"), bytes);
  await start.open();
  const snapshots: Snapshot[] = [];
  for (let i = 0; i < viewers; i++) {
    await Bun.sleep(next() * ((2 * bytes.length * 1_000) / rate / (viewers + 1)));
    snapshots.push(await snapshotOf(host));
  }
  const score = emptyScore();
  const early = createEmulator(cols, rows);
  let at = 0;
  for (const { state, offset, ...size } of snapshots) {
    const until = Math.min(bytes.length, offset + Math.floor(next() * MOST_AFTER));
    const late = createEmulator(size.cols, size.rows);
    write(late, state);
    write(late, bytes.subarray(offset, until));
    if (until > at) write(early, bytes.subarray(at, until));
    at = Math.max(at, until);
    if (at === until)
      compare(score, look(early), look(late), `${name} at ${rate} B/s: seed ${seed}, at ${offset}`);
  }
  return score;
}
