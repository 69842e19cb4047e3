// Whatever one client sends, only that client is affected.
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { FrameReader } from "../../../src/host/protocol/frame-reader.ts";
import {
  ClientFrame,
  encodeFrame,
  encodeJson,
  HostFrame,
  PROTOCOL_VERSION,
  parseJson,
} from "../../../src/host/protocol/frames.ts";
import { startHost, type TestHost } from "../support/host.ts";
import { watch } from "../support/watcher.ts";

/** Sends raw bytes and gives back the frames that came before the host hung up. */
async function rawClient(
  host: TestHost,
  ...chunks: Uint8Array[]
): Promise<{ type: number; body: Record<string, unknown> }[]> {
  const frames: { type: number; body: Record<string, unknown> }[] = [];
  const reader = new FrameReader(1_048_576, (type, payload) =>
    frames.push({ type, body: parseJson(payload) }),
  );
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    unix: host.socketPath,
    socket: { data: (_s, chunk) => reader.feed(chunk), close: () => resolve(), error() {} },
  });
  for (const chunk of chunks) socket.write(chunk);
  await promise;
  return frames;
}

const hello = encodeJson(ClientFrame.hello, { version: PROTOCOL_VERSION });
const hugeLength = new Uint8Array([0xff, 0xff, 0xff, 0xff, 3]);
const NONSENSE: Record<string, Uint8Array[]> = {
  "random bytes": [crypto.getRandomValues(new Uint8Array(4_096)).fill(0xee, 0, 4)],
  "a frame of no length": [hello, new Uint8Array([0, 0, 0, 0, 0])],
  "a frame of four gigabytes": [hello, hugeLength],
  "a large frame before the introduction": [encodeFrame(ClientFrame.hello, new Uint8Array(100_000))],
  "input before the introduction": [encodeFrame(ClientFrame.input, Buffer.from("rm -rf /\r"))],
  "a control frame that is not JSON": [hello, encodeFrame(ClientFrame.attach, Buffer.from("{nope"))],
  "a control frame that is a list": [hello, encodeFrame(ClientFrame.resize, Buffer.from("[1]"))],
  "an offset that is not a number": [hello, encodeJson(ClientFrame.attach, { from: "0; DROP" })],
  "a negative offset": [hello, encodeJson(ClientFrame.attach, { from: -1 })],
  "attaching twice": [hello, encodeJson(ClientFrame.attach, {}), encodeJson(ClientFrame.attach, {})],
  "a signal that does not exist": [hello, encodeJson(ClientFrame.signal, { signal: "SIGNOPE" })],
  "text that is not UTF-8": [hello, encodeFrame(ClientFrame.attach, new Uint8Array([0x22, 0xff, 0x22]))],
};

test("nonsense ends the connection that sent it, and no other", async () => {
  await using host = await startHost(["cat"]);
  const viewer = await watch(host);
  for (const [name, chunks] of Object.entries(NONSENSE)) {
    await rawClient(host, ...chunks);
    viewer.client.send(`still here after ${name}\r`);
    await viewer.sees(`still here after ${name}`);
  }
  expect(viewer.order).not.toContain("closed");
  expect((await viewer.client.status()).viewers).toBe(1);
});

test("a version it does not know is refused with the one it does", async () => {
  await using host = await startHost(["cat"]);
  const frames = await rawClient(host, encodeJson(ClientFrame.hello, { version: 99 }));
  expect(frames).toEqual([
    { type: HostFrame.refused, body: { message: "this session host speaks version 1, not 99", version: 1 } },
  ]);
});

test("a frame type it does not know is left alone, for clients newer than the host", async () => {
  await using host = await startHost(["cat"]);
  const viewer = await watch(host);
  viewer.client.send("");
  const socket = await Bun.connect({ unix: host.socketPath, socket: { data() {} } });
  socket.write(hello);
  socket.write(encodeJson(60, { what: "ever" }));
  expect((await viewer.client.status()).sessionId).toBe(host.sessionId);
  socket.end();
});

test("only its owner can open the socket", async () => {
  await using host = await startHost(["cat"]);
  expect(statSync(host.socketPath).mode & 0o777).toBe(0o600);
});

test("frames survive being cut anywhere", () => {
  const frames = Array.from({ length: 50 }, (_, i) =>
    encodeFrame((i % 60) + 1, new Uint8Array(i * 7).fill(i)),
  );
  const stream = Buffer.concat(frames);
  for (const step of [1, 2, 3, 5, 64, 1_000]) {
    const seen: Uint8Array[] = [];
    const reader = new FrameReader(10_000, (type, payload) => seen.push(encodeFrame(type, payload)));
    for (let at = 0; at < stream.length; at += step) reader.feed(stream.subarray(at, at + step));
    expect(Buffer.concat(seen).equals(stream)).toBe(true);
  }
});
