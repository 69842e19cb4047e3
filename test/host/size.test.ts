import { expect, test } from "bun:test";
import { createMirror } from "../../src/host/mirror/mirror.ts";
import { Ring } from "../../src/host/terminal/ring.ts";
import { SizeLog } from "../../src/host/terminal/size-log.ts";
import { startHost } from "./support/host.ts";
import { ENGINE, THEME, WORKER } from "./support/real-mirror.ts";
import { watch } from "./support/watcher.ts";

/** Waits for its reader rather than in `read`, which can miss a signal that comes just before. */
const SHOW_SIZE =
  "trap 'stty size' WINCH; stty size; exec 3<&0; while read line <&3; do echo got $line; done & while :; do wait; done";

test("the viewer who typed last owns the size, and everybody is told in stream order", async () => {
  await using host = await startHost(["sh", "-c", SHOW_SIZE]);
  const desk = await watch(host, { cols: 120, rows: 40 });
  await desk.sees("40 120");
  const phone = await watch(host, { cols: 50, rows: 30 });
  await phone.when(({ order }) => order.includes("live"), "the replay to end");
  expect(desk.sizes).toEqual(["120x40"]);
  phone.client.send("hello\r");
  await desk.sees("30 50");
  expect(desk.sizes).toEqual(["120x40", "50x30"]);
  desk.client.resize({ cols: 121, rows: 41 });
  desk.client.send("back\r");
  await phone.sees("41 121");
  expect(phone.sizes.at(-1)).toBe("121x41");
});

test("a window that only tells the program that it gained or lost the focus leaves the size alone", async () => {
  await using host = await startHost(["sh", "-c", `stty raw -echo; printf ready; exec cat -v`]);
  const desk = await watch(host, { cols: 120, rows: 40 });
  await desk.sees("ready");
  const phone = await watch(host, { cols: 50, rows: 30 });
  desk.client.send("x");
  await phone.sees("x");
  phone.client.send("\x1b[I");
  phone.client.send("\x1b[O");
  await desk.sees("^[[I^[[O");
  expect(desk.sizes).toEqual(["120x40"]);
  phone.client.send("\x1b[A"); // a key
  await desk.when(({ sizes }) => sizes.includes("50x30"), "the phone's size");
});

test("a size can be passed on for a viewer, for nobody, and not for one that is gone", async () => {
  await using host = await startHost(["sh", "-c", SHOW_SIZE]);
  const desk = await watch(host, { cols: 120, rows: 40 });
  await desk.sees("40 120");
  const phone = await watch(host, { cols: 50, rows: 30 });
  await phone.when(({ order }) => order.includes("live"), "the replay to end");
  const messenger = await host.connect();
  expect(await messenger.resizeFor(phone.attached[0]?.viewer, { cols: 51, rows: 31 })).toBe(true);
  expect((await messenger.status()).cols).toBe(120);
  phone.client.send("now me\r");
  await desk.sees("31 51");
  expect(await messenger.resizeFor(undefined, { cols: 100, rows: 25 })).toBe(true);
  await desk.sees("25 100");
  expect(await messenger.resizeFor(999, { cols: 99, rows: 24 })).toBe(false);
  expect((await messenger.status()).cols).toBe(100);
});

test("a size out of bounds is refused and changes nothing", async () => {
  await using host = await startHost(["sh", "-c", SHOW_SIZE]);
  const viewer = await watch(host);
  viewer.client.resize({ cols: 0, rows: 24 });
  viewer.client.resize({ cols: 501, rows: 24 });
  viewer.client.resize({ cols: 80, rows: 301 });
  const { cols, rows } = await viewer.client.status();
  expect([cols, rows]).toEqual([80, 24]);
});

test("a late viewer gets the sizes between the bytes they came between", async () => {
  await using host = await startHost(["sh", "-c", SHOW_SIZE]);
  const early = await watch(host, { cols: 90, rows: 20 });
  await early.sees("20 90");
  early.client.resize({ cols: 91, rows: 21 });
  await early.sees("21 91");
  const late = await watch(host);
  await late.sees("21 91");
  expect(late.attached[0]?.replay).toBe("full");
  expect([late.attached[0]?.cols, late.attached[0]?.rows]).toEqual([80, 24]);
  expect(late.sizes).toEqual(["90x20", "91x21"]);
});

test("the mirror takes over a new size and keeps it, whatever is printed after", async () => {
  await using host = await startHost(["sh", "-c", SHOW_SIZE]);
  const viewer = await watch(host, { cols: 90, rows: 20 });
  await viewer.sees("20 90");
  expect(await viewer.client.screen()).toMatchObject({ cols: 90, rows: 20 });
  viewer.client.send("more\r");
  await viewer.sees("got more");
  const { cols, rows, text } = await viewer.client.screen();
  expect([cols, rows, text.split("\n").length]).toEqual([90, 20, 20]);
});

test("who asks for the screen after a new size gets it in that size, though the mirror was at work meanwhile", async () => {
  const ring = new Ring(1_000_000);
  const sizes = new SizeLog({ cols: 80, rows: 24 });
  const mirror = createMirror({
    ring,
    sizes,
    worker: WORKER,
    engine: ENGINE,
    version: "test",
    theme: THEME,
    patienceMs: 60_000,
    onAnswer() {},
    onEvent() {},
    onRestart() {},
  });
  await mirror.screen();
  ring.append(Buffer.from("something to read\r\n"));
  mirror.wake();
  mirror.resized(sizes.add({ cols: 90, rows: 20, offset: ring.head, owner: undefined }, ring.oldest));
  expect(await mirror.screen()).toMatchObject({ cols: 90, rows: 20 });
  mirror.close();
});
