import { expect, test } from "bun:test";
import { createRunDir } from "../../../../src/server/hosts/run-dir.ts";
import { createSessionWatch } from "../../../../src/server/sessions/observe/session-watch.ts";
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
    observed: call("observed"),
    caughtUp: call("caughtUp"),
    glimpse: call("glimpse"),
    bell: call("bell"),
    ended: call("ended"),
    failed: call("failed"),
  });
  expect(await watch.open({ taskId: "task", sessionId: "session" })).toBe(false);
  expect(calls).toEqual([]);
  host.stop(true);
});
