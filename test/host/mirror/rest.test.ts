// When a mirror reads: seen from its worker, which is replaced by one that only counts.
import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMirror } from "../../../src/host/mirror/mirror.ts";
import { Ring } from "../../../src/host/terminal/ring.ts";
import { SizeLog } from "../../../src/host/terminal/size-log.ts";
import { tempDir } from "../../support/temp.ts";
import { ENGINE, THEME } from "../support/real-mirror.ts";

const folder = tempDir("rest");
afterAll(() => folder[Symbol.dispose]());
const COUNTING = join(folder.path, "worker.js");
writeFileSync(
  COUNTING,
  `let reads = 0;
  let offset = 0;
  const screen = () => ({ text: String(reads) });
  onmessage = ({ data }) => {
    if (data.type === "follow") {
      reads++;
      offset = data.until;
      postMessage({ type: "at", offset });
      postMessage({ type: "answer", text: "read", offset });
    } else if (data.type === "screen") postMessage({ type: "screen", id: data.id, offset, screen: screen() });
  };`,
);

function open() {
  const ring = new Ring(1_048_576);
  let onRead = () => {};
  let reads = 0;
  const mirror = createMirror({
    ...{ ring, sizes: new SizeLog({ cols: 80, rows: 24 }), worker: COUNTING, engine: ENGINE },
    ...{ version: "test", theme: THEME, patienceMs: 60_000 },
    onAnswer() {
      reads++;
      onRead();
    },
    onEvent() {},
    onRestart() {},
  });
  return {
    mirror,
    reads: () => reads,
    read: () =>
      new Promise<void>((resolve) => {
        onRead = resolve;
      }),
    print(bytes: number) {
      ring.append(new Uint8Array(bytes));
      mirror.wake();
    },
    head: () => ring.head,
    [Symbol.dispose]: () => mirror.close(),
  };
}

/** As a program prints so many bytes each second for a while; gives how much came. */
async function stream(print: (bytes: number) => void, rate: number, ms: number): Promise<void> {
  const began = performance.now();
  for (let sent = 0, now = 0; now < ms; ) {
    await Bun.sleep(4);
    now = performance.now() - began;
    const due = Math.floor((rate * now) / 1_000) - sent;
    print(due);
    sent += due;
  }
}

test.each([1, 5, 20])("output that streams at %i MB/s is read a few times a second", async (rate) => {
  using one = open();
  await one.mirror.screen(); // its worker is there
  await stream(one.print, rate * 1_000_000, 1_000);
  // Each time 2 MB, or what came within a second; and whenever this machine let the stream pause.
  expect(one.reads()).toBeLessThan(30);
  expect(one.reads()).toBeGreaterThan(0);
});

test("what is typed, and what a program draws now and then, is read at once", async () => {
  using one = open();
  await one.mirror.screen();
  for (let i = 0; i < 5; i++) {
    const read = one.read();
    one.print(300);
    await read;
  }
  expect(one.reads()).toBe(5);
});

test("a stream that pauses is read to its end, and who asks in the middle of it is shown all of it", async () => {
  using one = open();
  await one.mirror.screen();
  await stream(one.print, 5_000_000, 100);
  const asked = one.head();
  one.print(1_000);
  expect((await one.mirror.screen()).offset).toBeGreaterThan(asked);
  one.print(1_000);
  await one.read();
  expect((await one.mirror.screen()).offset).toBe(one.head());
});
