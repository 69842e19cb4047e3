import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { gate } from "../support/gate.ts";
import { randomBytes } from "../support/random-bytes.ts";
import { startHost, type TestHost, until } from "./support/host.ts";
import { type Watcher, watch } from "./support/watcher.ts";

const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("a megabyte pasted at once arrives byte for byte, though the program reads late", async () => {
  using start = gate();
  const program = `stty raw -echo; echo waiting; ${start.wait}; head -c 1048576 | sha256sum; cat`;
  await using host = await startHost(["sh", "-c", program]);
  const viewer = await watch(host);
  const paste = randomBytes(1_048_576);
  await viewer.sees("waiting");
  viewer.client.send(paste);
  // The host has it all before the program is let go.
  await viewer.client.status();
  await start.open();
  await viewer.sees(sha(paste));
});

test("two viewers who paste at once do not tear each other's pastes apart", async () => {
  await using host = await startHost([
    "sh",
    "-c",
    "stty raw -echo; echo ready; head -c 400000 > got; echo done; cat",
  ]);
  const [one, two] = await Promise.all([watch(host), watch(host)]);
  await Promise.all([one.sees("ready"), two.sees("ready")]);
  for (let i = 0; i < 10; i++) {
    one.client.send("1".repeat(20_000));
    two.client.send("2".repeat(20_000));
  }
  await one.sees("done");
  const runs = (await Bun.file(`${host.dir}/got`).text()).match(/1+|2+/g) ?? [];
  expect(runs.every((run) => run.length % 20_000 === 0)).toBe(true);
  expect(runs.join("").length).toBe(400_000);
});

test("somebody who types without end into a program that does not read is made to wait", async () => {
  await using host = await startHost(["sh", "-c", "stty raw -echo; echo ready; sleep 600"]);
  const viewer = await watch(host);
  await viewer.sees("ready");
  await viewer.client.screen(); // the mirror is there by then, and counted
  const resident = async () =>
    Number(/VmRSS:\s+(\d+)/.exec(await Bun.file(`/proc/${host.hostPid}/status`).text())?.[1]) * 1_024;
  const before = await resident();
  const flood = randomBytes(2_097_152);
  const sent = 60 * flood.length;
  for (let i = 0; i < 60; i++) viewer.client.send(flood);
  const other = await host.connect();
  for (let i = 0; i < 100; i++) await other.status();
  // What it holds is a fixed amount, whatever is sent: buffers of a few frames each on their way through.
  expect((await resident()) - before).toBeLessThan(sent / 2);
  viewer.client.close();
});

test("somebody who types on and on into a program that reads is never made to wait", async () => {
  const readOne = "dd bs=8192 count=1 iflag=fullblock of=/dev/null status=none";
  await using host = await startHost([
    "sh",
    "-c",
    `stty raw -echo; echo ready; while ${readOne}; do printf .; done`,
  ]);
  const viewer = await watch(host);
  await viewer.sees("ready");
  const { offset } = viewer;
  const frame = randomBytes(8_192);
  for (let i = 1; i * frame.length < 9_000_000; i++) {
    viewer.client.send(frame);
    await viewer.when((watcher) => watcher.offset >= offset + i, `frame ${i} to be read`);
  }
}, 60_000);

describe("somebody who is not read any further, because the program does not read", () => {
  async function heldViewer(host: TestHost): Promise<Watcher> {
    const viewer = await watch(host, { cols: 100, rows: 30 });
    await viewer.sees("ready");
    viewer.client.send(new Uint8Array(9_000_000).fill(97));
    await until(() => viewer.client.unsent() === 0, "the rest of it to be on its way");
    // The host reads that rest before it answers somebody who comes later, and then reads this one no further.
    const later = await host.connect();
    await later.status();
    later.close();
    return viewer;
  }
  const NEVER_READS = ["sh", "-c", "stty raw -echo; printf ready; exec sleep 1000"];

  test("is seen to leave", async () => {
    await using host = await startHost(NEVER_READS);
    const viewer = await heldViewer(host);
    const other = await host.connect();
    viewer.client.close();
    while ((await other.status()).viewers > 0) await Bun.sleep(50);
  });

  test("is read again when the program has ended", async () => {
    await using host = await startHost(NEVER_READS);
    const viewer = await heldViewer(host);
    process.kill(host.pid, "SIGKILL");
    expect((await viewer.client.status()).exit).toEqual({ code: null, signal: "SIGKILL" });
  });
});
