// Stopping a session ends everything it started, however it tried to get away, and nothing else.
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  findProcesses,
  isRunning,
  readProcess,
  signalProcess,
} from "../../../src/host/processes/processes.ts";
import { startHost, type TestHost, until } from "../support/host.ts";
import { watch } from "../support/watcher.ts";

const LIMIT_MS = 10_000;

/** Each leaves its process id in a file called pid and then sleeps for a very long time. */
const ESCAPES: Record<string, string> = {
  "an ordinary child": "sh -c 'echo $$ > pid; exec sleep 5000' & wait",
  "a child in the background of a finished script": "(sh -c 'echo $$ > pid; exec sleep 5000' &) ; sleep 5000",
  "one that ignores hang-ups (nohup)": "nohup sh -c 'echo $$ > pid; exec sleep 5000' >/dev/null 2>&1 & wait",
  "one in a session of its own (setsid)": "setsid sh -c 'echo $$ > pid; exec sleep 5000' & sleep 5000",
  "a daemon that forked twice":
    "setsid sh -c '(setsid sh -c \"echo \\$\\$ > pid; exec sleep 5000\" &)' ; sleep 5000",
  "one that ignores SIGTERM, SIGHUP and SIGINT":
    "setsid sh -c 'trap \"\" TERM HUP INT; echo $$ > pid; while :; do sleep 1; done' & sleep 5000",
  "one that throws its environment away when it is asked to end":
    "setsid sh -c 'trap \"exec env -i sleep 5000\" TERM; echo $$ > pid; while :; do sleep 0.05; done' & sleep 5000",
  "a stopped one": "setsid sh -c 'echo $$ > pid; kill -STOP $$; sleep 5000' & sleep 5000",
  "one whose parent cleared the environment, inside the terminal's session":
    "env -i PATH=$PATH sh -c 'echo $$ > pid; exec sleep 5000' & wait",
};

async function pidFrom(host: TestHost): Promise<number> {
  const path = join(host.dir, "pid");
  await until(() => existsSync(path) && readFileSync(path, "utf8").includes("\n"), "the process to start");
  return Number(readFileSync(path, "utf8"));
}

for (const [name, script] of Object.entries(ESCAPES)) {
  test(`stop ends ${name}`, async () => {
    await using host = await startHost(["sh", "-c", script]);
    const pid = await pidFrom(host);
    expect(readProcess(pid)).toBeDefined();
    const client = await host.connect();
    const started = performance.now();
    expect(await client.stop()).toEqual([]);
    expect(performance.now() - started).toBeLessThan(LIMIT_MS);
    const left = readProcess(pid);
    expect(left === undefined || left.state === "Z").toBe(true);
    expect(findProcesses(host.sessionId, host.pid).own).toEqual([]);
  }, 20_000);
}

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
