import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readProcess } from "../../src/host/processes/processes.ts";
import { readExitRecord } from "../../src/host/protocol/exit-record.ts";
import { startHost, until } from "./support/host.ts";
import { watch } from "./support/watcher.ts";

test("the record is on disk before anybody is told", async () => {
  await using host = await startHost(["sh", "-c", "read go; printf bye; kill -9 $$"]);
  const recorded: unknown[] = [];
  const viewer = await watch(host);
  const observer = await host.connect({
    event({ type }) {
      if (type === "exit") recorded.push(readExitRecord(host.recordPath));
    },
  });
  observer.subscribe();
  viewer.client.send("\r");
  await viewer.when(({ exits }) => exits.length === 1, "the exit");
  await until(() => recorded.length === 1, "the observer to hear of it");
  expect(recorded[0]).toMatchObject({
    code: null,
    signal: "SIGKILL",
    reason: "exit",
    sessionId: host.sessionId,
  });
  expect(viewer.text().endsWith("bye")).toBe(true);
  expect(statSync(host.recordPath).mode & 0o777).toBe(0o600);
});

test("the last of a lot of output comes before the exit", async () => {
  await using host = await startHost([
    "sh",
    "-c",
    "read go; stty raw; head -c 3000000 /dev/zero | tr '\\0' x; printf THE-END",
  ]);
  const viewer = await watch(host);
  viewer.client.send("\n");
  await viewer.when(({ exits }) => exits.length === 1, "the exit");
  expect(viewer.text().endsWith("THE-END")).toBe(true);
});

test("a grandchild that keeps the terminal open does not hold up the end", async () => {
  await using host = await startHost(["sh", "-c", "trap '' HUP; sleep 5000 & echo left it behind; exit 4"]);
  const viewer = await watch(host);
  await viewer.when(({ exits }) => exits.length === 1, "the exit");
  expect(viewer.exits).toEqual([{ code: 4, signal: null }]);
  expect(viewer.text()).toContain("left it behind");
  expect(await viewer.client.stop()).toEqual([]);
});

test("the host stays for its record to be collected, replays the end to who comes late, then goes", async () => {
  await using host = await startHost(["sh", "-c", "echo finished; exit 5"]);
  await until(() => existsSync(host.recordPath), "the exit record");
  const late = await watch(host);
  await late.when(({ exits }) => exits.length === 1, "the exit");
  expect(late.text()).toContain("finished");
  late.client.collect();
  await until(() => readProcess(host.hostPid) === undefined, "the host to go");
  expect(existsSync(host.socketPath)).toBe(false);
  expect(readExitRecord(host.recordPath)?.code).toBe(5);
  expect(readFileSync(host.logPath, "utf8").trim().split("\n").length).toBe(2);
});

test("a host nobody collects from goes after its limit", async () => {
  await using host = await startHost(["true"], { lingerSeconds: 1 });
  await until(() => readProcess(host.hostPid) === undefined, "the host to go");
  expect(readExitRecord(host.recordPath)?.code).toBe(0);
});

test("a record that can't be written yet is told to who asks, and written when it can be", async () => {
  const place = join(tmpdir(), `banto-later-${crypto.randomUUID()}`);
  await using host = await startHost(["sh", "-c", "exit 6"], { recordPath: join(place, "exit.json") });
  const viewer = await watch(host);
  await viewer.when(({ exits }) => exits.length === 1, "the exit");
  expect((await viewer.client.status()).record).toMatchObject({ code: 6, signal: null, reason: "exit" });
  mkdirSync(place);
  await until(() => existsSync(host.recordPath), "the exit record");
  expect(readExitRecord(host.recordPath)?.code).toBe(6);
  rmSync(place, { recursive: true });
});
