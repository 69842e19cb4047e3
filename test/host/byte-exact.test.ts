// Every byte, once, in order: through a raw terminal, at every kind of viewer.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostClient } from "../../src/host/client/connect.ts";
import { DEPTH } from "../support/depth.ts";
import { gate } from "../support/gate.ts";
import { randomBytes } from "../support/random-bytes.ts";
import { startHost, type TestHost } from "./support/host.ts";

const MEGABYTES = DEPTH.streamMegabytes;

interface Hashing {
  hash: ReturnType<typeof createHash>;
  offset: number;
  reconnects: number;
  done: Promise<void>;
  finish(): void;
}

function hashing(): Hashing {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { hash: createHash("sha256"), offset: 0, reconnects: 0, done: promise, finish: resolve };
}

const take = (into: Hashing) => (bytes: Uint8Array, offset: number) => {
  if (offset !== into.offset) throw new Error(`expected offset ${into.offset}, got ${offset}`);
  into.hash.update(bytes);
  into.offset += bytes.length;
};

async function hashFrom(host: TestHost, attach: { from?: number } = {}): Promise<Hashing> {
  const seen = hashing();
  const client = await host.connect({ output: take(seen), exit: () => seen.finish() });
  client.attach(attach);
  return seen;
}

/** Drops its connection again and again, in the middle of things, and asks for the rest. */
async function hashReconnecting(host: TestHost, times: number, length: number): Promise<Hashing> {
  const seen = hashing();
  // Not at the very end, where two of them in the last chunk would be one.
  const anywhere = () => Math.floor(Math.random() * length * 0.9);
  const drops = Array.from({ length: times }, anywhere).sort((a, b) => a - b);
  const connect = async (): Promise<void> => {
    let open = true;
    const client: HostClient = await host.connect({
      output(bytes, offset) {
        if (!open) return;
        take(seen)(bytes, offset);
        if (drops[0] === undefined || seen.offset < drops[0]) return;
        open = false;
        drops.shift();
        seen.reconnects += 1;
        client.close();
        void connect();
      },
      exit() {
        if (open) seen.finish();
      },
    });
    client.attach(seen.offset === 0 ? {} : { from: seen.offset });
  };
  await connect();
  return seen;
}

test(`${MEGABYTES} MB of random bytes arrive unchanged at a fast, a late and a reconnecting viewer`, async () => {
  using start = gate();
  // The ring holds everything, so that the late and the reconnecting one can always be served.
  await using host = await startHost(
    ["sh", "-c", `stty raw -echo; ${start.wait}; cat bytes; read -r go; printf end`],
    { bufferSize: (MEGABYTES + 1) * 1_048_576 },
  );
  const bytes = randomBytes(MEGABYTES * 1_048_576);
  writeFileSync(join(host.dir, "bytes"), bytes);
  const fast = await hashFrom(host);
  const reconnecting = await hashReconnecting(host, DEPTH.reconnects, bytes.length);
  const typist = await host.connect();
  await start.open();
  while ((await typist.status()).offset < bytes.length) await Bun.sleep(20);
  const late = await hashFrom(host);
  typist.send("\n");
  await Promise.all([fast.done, reconnecting.done, late.done]);
  expect(reconnecting.reconnects).toBe(DEPTH.reconnects);
  const wanted = createHash("sha256").update(bytes).update("end").digest("hex");
  expect([fast, reconnecting, late].map((seen) => seen.hash.digest("hex"))).toEqual([wanted, wanted, wanted]);
}, 60_000);
