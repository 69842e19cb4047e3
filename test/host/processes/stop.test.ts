// Stopping a session ends everything it started, however it tried to get away, and nothing else.
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isRunning, readProcess, signalProcess } from "../../../src/host/processes/processes.ts";
import { ESCAPES, pidFrom, STOP_LIMIT_MS, stopEscaped } from "../support/escapes.ts";
import { startHost, until } from "../support/host.ts";
import { watch } from "../support/watcher.ts";

for (const [name, script] of Object.entries(ESCAPES)) {
  test(`stop ends ${name}`, async () => {
    await using host = await startHost(["sh", "-c", script]);
    const { tookMs, ...left } = await stopEscaped(host);
    expect(left).toEqual({ pids: [], known: [], children: [] });
    expect(tookMs).toBeLessThan(STOP_LIMIT_MS);
  }, 20_000);
}

test("what the session's processes leave to its host is buried, and the program's own end still told", async () => {
  const orphans = "for i in $(seq 200); do (setsid true &); done";
  await using host = await startHost(["sh", "-c", `${orphans}; echo done; read go; exit 7`]);
  const viewer = await watch(host);
  await viewer.sees("done");
  const dead = () =>
    readdirSync("/proc")
      .map(Number)
      .filter(Boolean)
      .map(readProcess)
      .filter((found) => found?.parent === host.hostPid && found.state === "Z").length;
  await until(() => dead() === 0, "the dead to be buried");
  viewer.client.send("\r");
  await viewer.when(({ exits }) => exits.length === 1, "the exit");
  expect(viewer.exits).toEqual([{ code: 7, signal: null }]);
}, 30_000);

// Only root can start a process that is not its own.
test.skipIf(process.getuid?.() !== 0)(
  "a process that belongs to another user is left, and stops nothing else",
  async () => {
    const [nobody, daemon] = [65_534, 1];
    const foreign = spawn("sleep", ["5000"], { uid: nobody, gid: nobody });
    await once(foreign, "spawn");
    const found = readProcess(foreign.pid ?? 0);
    if (found === undefined) throw new Error("the process did not start");
    process.seteuid?.(daemon);
    try {
      signalProcess(found, "SIGKILL");
      const left = readProcess(found.pid);
      expect(left !== undefined && isRunning(left)).toBe(true);
    } finally {
      process.seteuid?.(0);
      foreign.kill("SIGKILL");
      await once(foreign, "exit");
    }
  },
);

test("stop touches nobody else: not another session, not a process with a similar mark", async () => {
  await using other = await startHost(["sh", "-c", "echo $$ > pid; exec sleep 5000"]);
  const otherPid = await pidFrom(other);
  await using host = await startHost(["sleep", "5000"]);
  const lookalike = Bun.spawn(["sleep", "5000"], { env: { BANTO_SESSION_ID: `${host.sessionId}-2` } });
  const client = await host.connect();
  for (const pid of [otherPid, lookalike.pid])
    await until(() => readProcess(pid)?.state === "S", "the others to sleep");
  expect(await client.stop()).toEqual([]);
  expect(readProcess(otherPid)?.state).toBe("S");
  expect(readProcess(lookalike.pid)?.state).toBe("S");
  lookalike.kill();
  await lookalike.exited;
});

test("a program left alone is given time to say goodbye", async () => {
  await using host = await startHost(
    ["sh", "-c", "trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.05; done"],
    {
      stopGraceMs: 5_000,
    },
  );
  const viewer = await watch(host);
  await viewer.sees("up");
  await viewer.client.stop();
  await viewer.when(({ exits }) => exits.length === 1, "the exit");
  expect(viewer.text()).toContain("bye");
  expect(viewer.exits).toEqual([{ code: 7, signal: null }]);
});

test("a signal goes to the program in the terminal", async () => {
  await using host = await startHost(["sh", "-c", "echo up; exec sleep 5000"]);
  const viewer = await watch(host);
  await viewer.sees("up");
  viewer.client.signal("SIGKILL");
  await viewer.when(({ exits }) => exits.length === 1, "the exit");
  expect(viewer.exits).toEqual([{ code: null, signal: "SIGKILL" }]);
});

test("a session nobody watches ends after its grace period, and says why", async () => {
  await using host = await startHost(["sleep", "5000"], { orphanSeconds: 1, stopGraceMs: 5_000 });
  await until(() => existsSync(host.recordPath), "the exit record");
  expect(JSON.parse(readFileSync(host.recordPath, "utf8"))).toMatchObject({
    reason: "orphaned",
    signal: "SIGTERM",
  });
});
