// The host goes on whatever happens around it, and leaves nothing behind while it does.
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectHost } from "../../src/host/client/connect.ts";
import { readProcess } from "../../src/host/processes/processes.ts";
import { DEPTH } from "../support/depth.ts";
import { createSpotter } from "../support/spotter.ts";
import { hostRequest, startHost, type TestHost, until } from "./support/host.ts";
import { watch } from "./support/watcher.ts";

const LAUNCH = join(import.meta.dir, "../../src/host/client/launch.ts");

/** A program that starts a host and then waits to be killed. */
const starter = (request: unknown) => `
  import { launchHost } from ${JSON.stringify(LAUNCH)};
  console.log(JSON.stringify(await launchHost(${JSON.stringify(request)})));
  setInterval(() => {}, 1000);
`;

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let said = "";
  for await (const chunk of stream) {
    said += Buffer.from(chunk).toString();
    if (said.includes("\n")) break;
  }
  return said.split("\n")[0] ?? "";
}

test("its starter is killed with -9, and the session goes on", async () => {
  const dir = mkdtempSync(join(tmpdir(), "banto-host-"));
  const request = hostRequest(dir, ["sh", "-c", "echo up; while read line; do echo got $line; done"]);
  writeFileSync(join(dir, "starter.ts"), starter(request));
  const parent = Bun.spawn([process.execPath, join(dir, "starter.ts")], { stdout: "pipe" });
  const { hostPid } = JSON.parse(await firstLine(parent.stdout)) as { hostPid: number };
  parent.kill("SIGKILL");
  await parent.exited;
  const seen: string[] = [];
  const client = await connectHost(request.socketPath, {
    output: (bytes) => void seen.push(Buffer.from(bytes).toString()),
  });
  client.attach();
  client.send("hello\r");
  await until(() => seen.join("").includes("got hello"), "the program's answer");
  expect(readProcess(hostPid)?.session).toBe(hostPid);
  await client.stop();
  client.collect();
  await until(() => readProcess(hostPid) === undefined, "the host to go");
  rmSync(dir, { recursive: true });
});

test("the terminal it was started from is closed, and the session goes on", async () => {
  const dir = mkdtempSync(join(tmpdir(), "banto-host-"));
  const request = hostRequest(dir, ["sh", "-c", "echo up; cat"]);
  writeFileSync(join(dir, "starter.ts"), starter(request));
  const said: string[] = [];
  const parent = Bun.spawn([process.execPath, join(dir, "starter.ts")], {
    terminal: { cols: 200, rows: 20, data: (_t, chunk) => said.push(Buffer.from(chunk).toString()) },
  });
  await until(() => said.join("").includes("\n"), "the host to start");
  const { hostPid } = JSON.parse(said.join("").split("\n")[0] ?? "") as { hostPid: number };
  parent.terminal?.close();
  await parent.exited;
  const client = await connectHost(request.socketPath);
  expect((await client.status()).exit).toBeNull();
  await client.stop();
  client.collect();
  await until(() => readProcess(hostPid) === undefined, "the host to go");
  rmSync(dir, { recursive: true });
});

const descriptors = (host: TestHost) => readdirSync(`/proc/${host.hostPid}/fd`).length;
const threads = (host: TestHost) => readdirSync(`/proc/${host.hostPid}/task`).length;
const residentKb = (host: TestHost) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${host.hostPid}/status`, "utf8"))?.[1]);
const zombies = (host: TestHost) =>
  readdirSync("/proc")
    .map(Number)
    .filter(Boolean)
    .map(readProcess)
    .filter((found) => found?.parent === host.hostPid && found.state === "Z").length;

/** The lowest of five readings, one after each turn: what the collector has yet to fetch is no growth. */
async function floorKb(host: TestHost, turn: () => Promise<void>): Promise<number> {
  const readings: number[] = [];
  for (let i = 0; i < 5; i++) {
    await turn();
    readings.push(residentKb(host));
  }
  return Math.min(...readings);
}

const ROUNDS = 3;
const LEAK_KB = 30_000;

test("hundreds of viewers come and go without a trace", async () => {
  await using host = await startHost(["sh", "-c", "seq 100000; cat"], { bufferSize: 65_536 });
  const cycle = async (count: number) => {
    for (let i = 0; i < count; i++) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const gone = Promise.withResolvers<void>();
      const client = await connectHost(host.socketPath, {
        live: () => resolve(),
        closed: () => gone.resolve(),
      });
      client.attach();
      await promise;
      // Something new now and then, so that each snapshot is not simply the last one.
      if (i % 5 === 0) client.send("x\r");
      client.close();
      await gone.promise;
    }
  };
  await cycle(2 * DEPTH.passingViewers);
  const before = { fds: descriptors(host), threads: threads(host) };
  const early = await floorKb(host, () => cycle(DEPTH.passingViewers));
  let growth = Number.POSITIVE_INFINITY;
  // What leaks grows each time; what is made once, such as room for a larger heap, does not.
  for (let round = 0, last = early; round < ROUNDS && growth >= LEAK_KB; round += 1) {
    const now = await floorKb(host, () => cycle(DEPTH.passingViewers));
    growth = now - last;
    last = now;
  }
  const observer = await host.connect();
  expect((await observer.status()).viewers).toBe(0);
  expect(descriptors(host)).toBeLessThanOrEqual(before.fds + 1);
  expect(threads(host)).toBeLessThanOrEqual(before.threads + 1);
  expect(zombies(host)).toBe(0);
  expect(growth).toBeLessThan(LEAK_KB);
}, 60_000);

test(`of ${DEPTH.crowd} viewers one is stalled: the others get to the end, the memory stays, and it catches up by a snapshot`, async () => {
  await using host = await startHost(["sh", "-c", "read go; seq 1 1500000; echo finished; cat"], {
    bufferSize: 1_048_576,
  });
  const stalled = await watch(host);
  await stalled.when(({ order }) => order.includes("live"), "live");
  stalled.client.pause();
  const ends: Promise<void>[] = [];
  for (let i = 0; i < DEPTH.crowd - 1; i++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const spotter = createSpotter("finished");
    const look = (bytes: Uint8Array) => {
      if (spotter.feed(bytes)) resolve();
    };
    // On a busy machine any of them may fall behind, and is then shown the end by a snapshot.
    const client = await host.connect({ snapshot: look, output: look });
    client.attach();
    ends.push(promise);
  }
  stalled.client.send("\r");
  await Promise.all(ends);
  expect(residentKb(host)).toBeLessThan(150_000);
  stalled.client.resume();
  await stalled.when(({ resyncs }) => resyncs > 0, "a resync");
  await stalled.sees("finished");
}, 60_000);

test("an endless flood leaves the memory flat and the program at full speed", async () => {
  await using host = await startHost(["sh", "-c", "yes the quick brown fox jumps over the lazy dog"]);
  const client = await host.connect();
  const more = async () => {
    const { offset } = await client.status();
    while ((await client.status()).offset < offset + (DEPTH.floodMegabytes * 1_000_000) / 7)
      await Bun.sleep(20);
  };
  const early = await floorKb(host, more);
  const late = await floorKb(host, more);
  expect(late - early).toBeLessThan(30_000);
  expect((await client.screen()).text).toContain("the quick brown fox");
  expect((await client.status()).mirrorRestarts).toBe(0);
}, 60_000);
