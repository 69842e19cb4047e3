// Who has subscribed hears when the program speaks and when it has fallen silent, not how much it says.
import { expect, setDefaultTimeout, test } from "bun:test";
import { createActivity } from "../../../src/host/terminal/activity.ts";
import { gate } from "../../support/gate.ts";
import { startHost, type TestHost } from "../support/host.ts";
import { type Watcher, watch } from "../support/watcher.ts";

// Programs start slowly on a busy machine.
setDefaultTimeout(60_000);

const kinds = ({ events }: Watcher) =>
  events.map(({ type }) => type).filter((type) => type === "output" || type === "quiet");

async function observe(host: TestHost): Promise<Watcher> {
  const watcher = await watch(host, null);
  watcher.client.subscribe();
  return watcher;
}

test("the first byte is told, then the silence, then the next byte", async () => {
  using start = gate();
  await using host = await startHost([
    "sh",
    "-c",
    `stty -echo; ${start.wait}; printf one; read go; printf two; cat`,
  ]);
  const watcher = await observe(host);
  expect(await watcher.client.status()).toMatchObject({ quiet: true, lastOutputAt: null });
  const before = Date.now();
  await start.open();
  await watcher.when((w) => kinds(w).includes("output"), "the first output");
  const { lastOutputAt } = await watcher.client.status();
  expect(Date.parse(lastOutputAt ?? "")).toBeWithin(before - 10, Date.now() + 10);
  await watcher.when((w) => kinds(w).at(-1) === "quiet", "the silence");
  expect(await watcher.client.status()).toMatchObject({ quiet: true });
  watcher.client.send("\n");
  await watcher.when((w) => kinds(w).length === 4, "the second time");
  expect(kinds(watcher)).toEqual(["output", "quiet", "output", "quiet"]);
});

test("a flood is told of in a handful of events", async () => {
  await using host = await startHost(["sh", "-c", "read go; yes flood"]);
  const watcher = await observe(host);
  watcher.client.send("\n");
  await watcher.when((w) => kinds(w).length >= 4, "four events");
  expect((await watcher.client.status()).offset).toBeGreaterThan(1_000_000);
  expect(kinds(watcher).length).toBeLessThan(6);
});

test("once the program has ended it counts as quiet at once", async () => {
  await using host = await startHost(["sh", "-c", "read go; printf bye"]);
  const watcher = await observe(host);
  watcher.client.send("\n");
  await watcher.when(({ events }) => events.some(({ type }) => type === "exit"), "the exit");
  expect(await watcher.client.status()).toMatchObject({ quiet: true });
});

test("silence is told only when nothing came for 700 ms, and goings-on at most once a second", async () => {
  const told: { type: string; at: number; sinceOutput: number }[] = [];
  let lastOutput = 0;
  const silent = Promise.withResolvers<void>();
  const activity = createActivity(({ type }) => {
    const at = performance.now();
    told.push({ type, at, sinceOutput: at - lastOutput });
    if (type === "quiet" && spoken === 30) silent.resolve();
  });
  let spoken = 0;
  const speak = setInterval(() => {
    lastOutput = performance.now();
    spoken++;
    activity.output();
    if (spoken === 30) clearInterval(speak);
  }, 50);
  await silent.promise;
  expect(activity.isQuiet()).toBe(true);
  expect(told[0]?.type).toBe("output");
  for (const [i, { type, at, sinceOutput }] of told.entries()) {
    if (type === "quiet") expect(sinceOutput).toBeGreaterThanOrEqual(699);
    else if (told[i - 1]?.type === "output") expect(at - (told[i - 1]?.at ?? 0)).toBeGreaterThanOrEqual(999);
  }
});
