// The mirror may trap, hang or fall behind: the terminal goes on, and the mirror comes back.
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FromWorker, ToWorker } from "../../../src/host/mirror/messages.ts";
import { Ring } from "../../../src/host/terminal/ring.ts";
import { brokenEngine } from "../support/engine.ts";
import { startHost, type TestHost } from "../support/host.ts";
import { ENGINE, THEME, WORKER } from "../support/real-mirror.ts";
import { watch } from "../support/watcher.ts";

/** User and system time the host has used, in clock ticks. */
const ticks = (host: TestHost) => {
  const fields = readFileSync(`/proc/${host.hostPid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
};

for (const how of ["hang", "trap"] as const) {
  test(`an engine that ${how === "hang" ? "never returns" : "traps"} is replaced while the terminal goes on`, async () => {
    const dir = mkdtempSync(join(tmpdir(), "banto-engine-"));
    const engine = join(dir, "broken.wasm");
    writeFileSync(engine, brokenEngine(how));
    await using host = await startHost(["cat"], { engine, mirrorPatienceMs: 300 });
    const viewer = await watch(host);
    for (let i = 0; i < 5; i++) {
      viewer.client.send(`line ${i}\r`);
      await viewer.sees(`line ${i}`);
    }
    while ((await viewer.client.status()).mirrorRestarts < 2) await Bun.sleep(50);
    viewer.client.send("still here\r");
    await viewer.sees("still here");
    rmSync(dir, { recursive: true });
  }, 20_000);
}

test("a replaced engine's thread does not go on burning a core", async () => {
  const dir = mkdtempSync(join(tmpdir(), "banto-engine-"));
  const engine = join(dir, "broken.wasm");
  writeFileSync(engine, brokenEngine("hang"));
  await using host = await startHost(["sh", "-c", "echo once; cat"], { engine, mirrorPatienceMs: 300 });
  const client = await host.connect();
  while ((await client.status()).mirrorRestarts < 2) await Bun.sleep(50);
  // The next one takes its time to start; then the host must come to rest, which a thread that goes on never does.
  let spent = Number.POSITIVE_INFINITY;
  while (spent > 5) {
    const before = ticks(host);
    await Bun.sleep(1_000);
    spent = ticks(host) - before;
  }
  rmSync(dir, { recursive: true });
}, 20_000);

/** Prints in bursts, so that the mirror nearly always has something to read. */
const BURSTS = String.raw`
  const burst = ("\x1b[31m" + "x".repeat(60) + "\x1b[0m \x1b[2K y\r\n").repeat(2000);
  setInterval(() => process.stdout.write(burst), 30);
`;

test("a host that was not let run for a while goes on with the mirror it has", async () => {
  const patience = 1_000;
  await using host = await startHost([process.execPath, "-e", BURSTS], { mirrorPatienceMs: patience });
  const client = await host.connect();
  await client.screen();
  const { mirrorRestarts } = await client.status();
  for (let i = 0; i < 6; i++) {
    await client.screen();
    void client.screen().catch(() => {}); // the mirror is at work when everything stops
    process.kill(host.hostPid, "SIGSTOP");
    await Bun.sleep(patience * 1.2);
    process.kill(host.hostPid, "SIGCONT");
  }
  await client.screen();
  expect((await client.status()).mirrorRestarts).toBe(mirrorRestarts);
}, 30_000);

test("one that can't even start is tried again, after longer and longer rests", async () => {
  await using host = await startHost(["cat"], { engine: "/nowhere.wasm" });
  const client = await host.connect();
  const restarts = async () => (await client.status()).mirrorRestarts;
  while ((await restarts()) < 5) await Bun.sleep(10);
  const times = readFileSync(host.logPath, "utf8")
    .split("\n")
    .filter((line) => line.includes("mirror replaced"))
    .map((line) => Date.parse(line.split(" ")[0] ?? ""));
  expect((times[4] ?? 0) - (times[2] ?? 0)).toBeGreaterThan(500); // two rests, at 250 and 500 ms
}, 20_000);

const SAID = [
  "\x1b]2;one\x1b\\",
  "some text",
  "\x1b[5n",
  "more\x07",
  "\x1b]2;two\x07",
  "\x1b[5n",
  "and more",
  "\x1b]11;?\x1b\\",
];

/** A mirror's thread that takes over from one which had told everything up to here. */
function startWorker(ring: Ring, toldTo: number, onMessage: (message: FromWorker) => void) {
  const worker = new Worker(WORKER);
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => onMessage(data);
  const post = (message: ToWorker) => worker.postMessage(message);
  post({
    type: "start",
    ring: ring.shared,
    engine: ENGINE,
    offset: 0,
    ...{ cols: 80, rows: 24, resizes: 0 },
    toldTo,
    version: "test",
    theme: THEME,
  });
  return { post, [Symbol.dispose]: () => worker.terminate() };
}

test("one whose program prints nothing says that it has started, and so is not taken for one that hangs", async () => {
  const { promise: first, resolve } = Promise.withResolvers<FromWorker>();
  using _worker = startWorker(new Ring(1_024), 0, resolve);
  expect(await first).toEqual({ type: "started" });
});

/** What such a mirror tells of everything that was said. */
async function toldAfter(toldTo: number, skim: boolean, step: number): Promise<string[]> {
  const bytes = Buffer.from(SAID.join(""));
  const ring = new Ring(bytes.length);
  ring.append(bytes);
  const told: string[] = [];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  using worker = startWorker(ring, toldTo, (message) => {
    if (message.type === "answer") told.push(`${message.offset} answer`);
    else if (message.type === "event" && message.event.type === "title")
      told.push(`${message.offset} ${message.event.title}`);
    else if (message.type === "at" && message.offset === bytes.length) resolve();
  });
  for (let until = step; until < bytes.length + step; until += step) {
    const end = Math.min(until, bytes.length);
    worker.post({ type: "follow", until: end, skimUntil: skim ? end : 0, sizes: [] });
  }
  await done;
  return told;
}

test("a new mirror goes on exactly after what was told last, however it reads", async () => {
  const all = await toldAfter(0, false, 1_000);
  expect(all).toEqual(["8 one", "22 answer", "35 two", "39 answer", "54 answer"]);
  for (const [skim, step] of [
    [false, 1],
    [true, 1_000],
    [true, 7],
  ] as const)
    expect(await toldAfter(0, skim, step)).toEqual(all);
  for (const skim of [false, true]) {
    for (const [index, told] of all.entries()) {
      const offset = Number.parseInt(told, 10);
      expect(await toldAfter(offset, skim, 1_000)).toEqual(all.slice(index + 1));
      expect(await toldAfter(offset - 1, skim, 1_000)).toEqual(all.slice(index));
    }
  }
});

test("ten thousand composed emoji, after which the engine prints no more, are survived", async () => {
  await using host = await startHost(["cat"]);
  const viewer = await watch(host);
  viewer.client.send(`${"👨‍👩‍👧‍👦".repeat(100)}\r`.repeat(100));
  viewer.client.send("after all that\r");
  await viewer.sees("after all that");
  await viewer.client.screen();
  viewer.client.send("it goes on\r");
  await viewer.when((w) => w.text().split("it goes on").length > 2, "the line and its echo");
  expect((await viewer.client.screen()).text).toContain("it goes on");
}, 20_000);
