import { expect, test } from "bun:test";
import type { Observation } from "../../../../src/server/agents/reading.ts";
import { createRunDir, type RunDir } from "../../../../src/server/hosts/run-dir.ts";
import { createSessionWatch } from "../../../../src/server/sessions/observe/session-watch.ts";
import { startHost } from "../../../host/support/host.ts";
import { tempDir } from "../../../support/temp.ts";

test("a host that hangs up before it has said anything is not there, and was never lost", async () => {
  using folder = tempDir("watch");
  const runDir = createRunDir(folder.path);
  const path = runDir.files("session").socket;
  const host = Bun.listen({ unix: path, socket: { open: (socket) => void socket.end(), data() {} } });
  const calls: string[] = [];
  const call = (name: string) => () => void calls.push(name);
  const watch = createSessionWatch({
    runDir,
    connected: async () => call("connected")(),
    observed: call("observed"),
    caughtUp: call("caughtUp"),
    glimpse: call("glimpse"),
    bell: call("bell"),
    troubled: call("troubled"),
    ended: call("ended"),
    failed: call("failed"),
  });
  expect(await watch.open({ taskId: "task", sessionId: "session" })).toBe(false);
  expect(calls).toEqual([]);
  host.stop(true);
});

const nothing = () => {};

/** As a server does that has just started: it hears of whatever was said before. */
async function programsHeard(runDir: RunDir) {
  const { promise: heard, resolve } = Promise.withResolvers<Extract<Observation, { type: "program" }>>();
  const watch = createSessionWatch({
    runDir,
    connected: async () => {},
    observed: (_, observation) =>
      observation.type === "program" && observation.reports[0] && resolve(observation),
    ...{ caughtUp: nothing, glimpse: nothing, bell: nothing, troubled: nothing, ended: nothing },
    failed(error) {
      throw error;
    },
  });
  expect(await watch.open({ taskId: "task", sessionId: "session" })).toBe(true);
  const { reports } = await heard;
  watch.dispose();
  return reports;
}

test("what a program said of itself is observed, also by a server that comes later", async () => {
  using folder = tempDir("watch");
  const runDir = createRunDir(folder.path);
  const { socket } = runDir.files("session");
  const says = String.raw`sleep 0.2; printf '\033]7501;state=blocked:kind=question\007'; exec sleep 1000`;
  await using _host = await startHost(["sh", "-c", says], { socketPath: socket });
  const reports = await programsHeard(runDir);
  expect(reports).toMatchObject([{ id: "", state: "blocked", kind: "question" }]);
  expect(await programsHeard(runDir)).toEqual(reports);
});
