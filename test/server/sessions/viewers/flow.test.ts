// Bytes under load: all of them, in order, at whatever speed each side takes them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectHost } from "../../../../src/host/client/connect.ts";
import { DEPTH } from "../../../support/depth.ts";
import { gate } from "../../../support/gate.ts";
import { randomBytes } from "../../../support/random-bytes.ts";
import { RawViewer } from "../../../support/raw-viewer.ts";
import { createSpotter } from "../../../support/spotter.ts";
import { TerminalBoard, type TestSession } from "../../../support/terminal-board.ts";
import type { TestViewer } from "../../../support/viewer.ts";

const MEGABYTE = 1_048_576;

let terminals: TerminalBoard;
beforeAll(async () => {
  terminals = await TerminalBoard.start();
});
afterAll(() => terminals[Symbol.asyncDispose]());

const sha = (...parts: Uint8Array[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

/** The first place where they differ, if any, and what follows it in each. */
function difference(got: Buffer, wanted: Buffer) {
  if (got.equals(wanted)) return undefined;
  let at = 0;
  while (at < wanted.length && got[at] === wanted[at]) at += 1;
  const after = (bytes: Buffer) => bytes.subarray(at, at + 32).toString("hex");
  return { at, lengths: [got.length, wanted.length], got: after(got), wanted: after(wanted) };
}

const residentMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${terminals.server.pid}/status`, "utf8"))?.[1]) / 1_024;

async function printed({ socketPath }: TestSession, bytes: number): Promise<void> {
  const host = await connectHost(socketPath);
  while ((await host.status()).offset < bytes) await Bun.sleep(20);
  host.close();
}

/** Hashes what it is shown, and acknowledges like the page if it is to. */
function hashing(session: TestSession, { plain, acks }: { plain: boolean; acks: boolean }) {
  const hash = createHash("sha256");
  let unacknowledged = 0;
  const viewer: TestViewer = terminals.watch(session.task.id, {
    plain,
    onBytes(bytes) {
      hash.update(bytes);
      unacknowledged += bytes.length;
      if (!acks || unacknowledged < 100_000) return;
      unacknowledged = 0;
      // Bytes are counted after they were shown.
      queueMicrotask(() => viewer.say({ type: "ack", offset: viewer.offset }));
    },
  });
  return { viewer, digest: () => hash.digest("hex") };
}

test(`${DEPTH.streamMegabytes} MB of random bytes arrive unchanged: as a plain pipe, with control messages, and with acknowledgements`, async () => {
  const bytes = randomBytes(DEPTH.streamMegabytes * MEGABYTE);
  writeFileSync(join(terminals.worktree.path, "bytes"), bytes);
  using start = gate();
  // The ring holds everything, so that nobody can fall out of it.
  const session = await terminals.run(["sh", "-c", `stty raw -echo; ${start.wait}; cat bytes; read -r go`], {
    bufferSize: (DEPTH.streamMegabytes + 1) * MEGABYTE,
  });
  const viewers = [
    hashing(session, { plain: true, acks: false }),
    hashing(session, { plain: false, acks: false }),
    hashing(session, { plain: false, acks: true }),
  ];
  await Promise.all(viewers.map(({ viewer }) => viewer.opened()));
  await start.open();
  await printed(session, bytes.length);
  viewers[0]?.viewer.type("\n");
  await Promise.all(viewers.map(({ viewer }) => viewer.expectClose(1000)));
  expect(viewers.map(({ digest }) => digest())).toEqual(Array(3).fill(sha(bytes)));
}, 120_000);

test("a viewer that stalls in the middle misses nothing while the ring holds it", async () => {
  const bytes = randomBytes(24 * MEGABYTE);
  writeFileSync(join(terminals.worktree.path, "more-bytes"), bytes);
  using start = gate();
  const session = await terminals.run(
    ["sh", "-c", `stty raw -echo; ${start.wait}; cat more-bytes; read -r go`],
    {
      bufferSize: 25 * MEGABYTE,
    },
  );
  using slow = await RawViewer.open(terminals.server, session.task.id);
  await start.open();
  await slow.when(({ received }) => received > MEGABYTE, "a first megabyte");
  slow.stall();
  await printed(session, bytes.length);
  slow.resume();
  slow.send(Buffer.from("\n"));
  await slow.when(({ closeCode }) => closeCode !== undefined, "the end");
  expect(slow.closeCode).toBe(1000);
  expect(difference(slow.bytes(), bytes)).toBeUndefined();
}, 120_000);

test("a plain viewer that falls out of the ring is reset and shown the screen, and ends right", async () => {
  const session = await terminals.run(["sh", "-c", "read go; seq 4000000; printf 'the end'; read go"], {
    bufferSize: 65_536,
  });
  using slow = await RawViewer.open(terminals.server, session.task.id);
  const typist = terminals.watch(session.task.id, { plain: true, onBytes() {} });
  await typist.opened();
  slow.stall();
  typist.type("\r");
  await printed(session, 34_000_000);
  slow.resume();
  await slow.sees("the end");
  const shown = slow.bytes();
  expect(shown.length).toBeLessThan(30_000_000);
  const cleared = shown.lastIndexOf("\x1b[H\x1b[J\x1b[3J");
  expect(cleared).toBeGreaterThan(0);
  // The screen is whole; of what has scrolled away in the flood the mirror may have left parts out.
  const numbers = [
    ...shown
      .subarray(cleared)
      .toString()
      .matchAll(/(?<!\d)\d{7}(?!\d)/g),
  ].map(Number);
  expect(numbers.slice(-22)).toEqual(Array.from({ length: 22 }, (_, i) => 4_000_000 - 21 + i));
}, 120_000);

test("a viewer with control messages that falls behind is told where the output goes on", async () => {
  using start = gate();
  const session = await terminals.run(
    // At the left edge: a snapshot would cut a word in two that goes over the right one.
    ["sh", "-c", `stty raw -echo; ${start.wait}; seq 3000000; printf '\\rend'; read go`],
    { bufferSize: 65_536 },
  );
  let isAcknowledging = false;
  let isAtEnd = false;
  const spotter = createSpotter("end");
  const acknowledge = () => viewer.say({ type: "ack", offset: viewer.offset });
  const viewer: TestViewer = terminals.watch(session.task.id, {
    onBytes(bytes) {
      isAtEnd = spotter.feed(bytes);
      if (isAcknowledging) queueMicrotask(acknowledge);
    },
  });
  await viewer.live();
  // One acknowledgement makes it one that acknowledges; it then says nothing more for a while.
  acknowledge();
  await start.open();
  await printed(session, 22_888_000);
  isAcknowledging = true;
  acknowledge();
  const resync = await viewer.control("resync");
  expect(resync).toMatchObject({ cols: 80, rows: 24 });
  expect(resync.lost).toBeGreaterThan(0);
  expect(resync.snapshotBytes).toBeGreaterThan(0);
  await viewer.when(() => isAtEnd, "the end of the output");
  const host = await connectHost(session.socketPath);
  const { offset } = await host.status();
  host.close();
  await viewer.when(() => viewer.offset === offset, "the offset of the host");
}, 120_000);

test("a viewer that acknowledges at once gets every byte of a flood", async () => {
  using start = gate();
  const yes = "yes 'the quick brown fox jumps over the lazy dog, again and again' | head -c 60000000";
  // On a busy machine it is the flood that waits for its turn. A viewer that isn't let run for a while falls behind.
  const flood = `nice -n 19 sh -c "${yes}"`;
  const session = await terminals.run([
    "sh",
    "-c",
    `stty raw -echo; ${start.wait}; ${flood}; printf 'the end'; read go`,
  ]);
  let isAtEnd = false;
  const spotter = createSpotter("the end");
  const viewer: TestViewer = terminals.watch(session.task.id, {
    onBytes(bytes) {
      isAtEnd = spotter.feed(bytes);
      queueMicrotask(() => viewer.say({ type: "ack", offset: viewer.offset }));
    },
  });
  await viewer.live();
  viewer.say({ type: "ack", offset: 0 });
  await start.open();
  await viewer.when(() => isAtEnd, "the end of the output");
  expect(viewer.controls.filter(({ type }) => type === "resync")).toEqual([]);
}, 120_000);

/** Resolves when this text comes by, wherever in the stream; rejects when the viewer is shut out. */
function seeing(session: TestSession, text: string, plain: boolean) {
  const { promise: seen, resolve, reject } = Promise.withResolvers<void>();
  const spotter = createSpotter(text);
  const viewer = terminals.watch(session.task.id, {
    plain,
    onBytes(bytes) {
      if (spotter.feed(bytes)) resolve();
    },
  });
  viewer.socket.addEventListener("close", ({ code }) => reject(new Error(`closed with ${code}`)));
  return { viewer, seen };
}

/** The most memory the server has while something goes on. */
async function highestDuring(work: Promise<unknown>): Promise<number> {
  let highest = 0;
  const watch = setInterval(() => {
    highest = Math.max(highest, residentMb());
  }, 50);
  try {
    await work;
  } finally {
    clearInterval(watch);
  }
  return highest;
}

test("of fifty viewers one never reads: the others get everything, and the server's memory stays", async () => {
  const session = await terminals.run([
    "sh",
    "-c",
    `read go; seq ${DEPTH.floodLines}; printf 'the end'; read go`,
  ]);
  using stalled = await RawViewer.open(terminals.server, session.task.id);
  stalled.stall();
  const viewers = Array.from({ length: 49 }, (_, i) => seeing(session, "the end", i % 2 === 0));
  await Promise.all(viewers.map(({ viewer }) => viewer.opened()));
  const before = residentMb();
  viewers[0]?.viewer.type("\r");
  // On a busy machine any of them may fall behind; the end is then in its snapshot.
  const highest = await highestDuring(Promise.all(viewers.map(({ seen }) => seen)));
  expect(highest - before).toBeLessThan(200);
  expect(stalled.isClosed).toBe(false);
}, 120_000);

test("a client that never reads costs the server no more, however much is printed", async () => {
  const session = await terminals.run([
    "sh",
    "-c",
    "read go; yes the quick brown fox jumps over the lazy dog",
  ]);
  using stalled = await RawViewer.open(terminals.server, session.task.id);
  stalled.send(Buffer.from("\r"));
  await stalled.when(({ received }) => received > 100_000, "some output");
  stalled.stall();
  await printed(session, (DEPTH.floodMegabytes * 1_000_000) / 3);
  const early = residentMb();
  await printed(session, DEPTH.floodMegabytes * 1_000_000);
  expect(residentMb() - early).toBeLessThan(40);
}, 120_000);

test("a paste of 15 MB arrives byte for byte and in one piece, while somebody else types", async () => {
  const size = 15 * MEGABYTE;
  const session = await terminals.run([
    "sh",
    "-c",
    `stty raw -echo; printf ready; head -c ${size + 5_000} > pasted; printf done; read go`,
  ]);
  const paster = terminals.watch(session.task.id, { plain: true });
  const typist = terminals.watch(session.task.id);
  await Promise.all([paster.sees("ready"), typist.sees("ready")]);
  const paste = randomBytes(15 * MEGABYTE);
  for (let i = 0; i < 2_500; i++) typist.type("t");
  paster.type(paste);
  for (let i = 0; i < 2_500; i++) typist.type("t");
  await paster.sees("done");
  const got = readFileSync(join(terminals.worktree.path, "pasted"));
  const start = got.indexOf(paste.subarray(0, 64));
  expect(sha(got.subarray(start, start + size))).toBe(sha(paste));
  expect(got.length).toBe(size + 5_000);
}, 120_000);

test("a message larger than any paste closes the socket with 1009", async () => {
  const session = await terminals.run(["cat"]);
  const viewer = terminals.watch(session.task.id, { plain: true });
  await viewer.opened();
  viewer.type(Buffer.alloc(16 * MEGABYTE + 1, "x"));
  const closed = await viewer.when((v) => v.closed !== undefined, "the close").then(() => viewer.closed);
  expect([1006, 1009]).toContain(closed?.code ?? 0);
});

test("who types without end into a program that does not read is not read any further", async () => {
  const session = await terminals.run(["sh", "-c", "stty raw -echo; printf ready; sleep 600"]);
  using flooder = await RawViewer.open(terminals.server, session.task.id);
  await flooder.when((viewer) => viewer.bytes().includes("ready"), "ready");
  const before = residentMb();
  const chunk = randomBytes(MEGABYTE);
  for (let i = 0; i < 100; i++) flooder.send(chunk);
  // Others are served all the while, which also gives the server the time to take what it would.
  for (let i = 0; i < 50; i++) {
    expect((await terminals.server.get(`/api/tasks/${session.task.id}/terminal/screen`)).status).toBe(200);
  }
  expect(flooder.unsent()).toBeGreaterThan(50 * MEGABYTE);
  expect(residentMb() - before).toBeLessThan(60);
}, 120_000);
