import { expect, test } from "bun:test";
import { join } from "node:path";
import { createWatch } from "../../../../src/server/sessions/observe/watch.ts";
import { tempDir } from "../../../support/temp.ts";

test("a host that hangs up before it has said anything is not there, and was never lost", async () => {
  using folder = tempDir("watch");
  const path = join(folder.path, "session.sock");
  const host = Bun.listen({ unix: path, socket: { open: (socket) => void socket.end(), data() {} } });
  const calls: string[] = [];
  const call = (name: string) => () => void calls.push(name);
  const watch = createWatch({
    news: call("news"),
    opened: call("opened"),
    glimpse: call("glimpse"),
    bell: call("bell"),
    exit: call("exit"),
    lost: call("lost"),
    failed: call("failed"),
  });
  expect(await watch.open({ taskId: "task", sessionId: "session" }, path)).toBe(false);
  expect(calls).toEqual([]);
  host.stop(true);
});
