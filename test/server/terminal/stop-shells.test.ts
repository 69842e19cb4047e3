// What the session runner relies on when a worktree is about to leave its place.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { launchHost } from "../../../src/host/launch.ts";
import { readProcess } from "../../../src/host/processes.ts";
import { DomainError } from "../../../src/server/errors.ts";
import { createEvents } from "../../../src/server/events.ts";
import { createLog } from "../../../src/server/log.ts";
import { createRunDir } from "../../../src/server/run-dir.ts";
import { createShells } from "../../../src/server/terminal/shells.ts";
import { baseEnvironment } from "../../host/support/host.ts";
import { tempDir } from "../../support/temp.ts";

function setUp() {
  const temp = tempDir("shells");
  const runDir = createRunDir(join(temp.path, "run"));
  const state = { hasWorktree: true, launched: () => {} };
  const shells = createShells({
    runDir,
    events: createEvents(),
    log: createLog(() => {}),
    requireWorktree() {
      if (!state.hasWorktree) throw new DomainError("conflict", "The worktree is gone.");
    },
    async launch(_taskId, sessionId) {
      const size = { cols: 80, rows: 24 };
      const paths = runDir.hostPaths(sessionId);
      await launchHost({
        sessionId,
        argv: ["sh"],
        cwd: temp.path,
        env: baseEnvironment(),
        ...size,
        ...paths,
      });
      state.launched();
    },
  });
  return {
    shells,
    state,
    files: () => readdirSync(runDir.path),
    async [Symbol.asyncDispose]() {
      await Promise.all(["a", "b"].map(shells.stopShells));
      temp[Symbol.dispose]();
    },
  };
}

const isAlive = (pid: number) => !["Z", undefined].includes(readProcess(pid)?.state);

test("stopping a task's shells ends all of them, one that is just being started too, and no other task's", async () => {
  await using test = setUp();
  const { shells } = test;
  const first = await shells.create("a");
  const other = await shells.create("b");
  const coming = shells.create("a");
  await shells.stopShells("a");
  expect(await shells.list("a")).toEqual([]);
  expect([isAlive(first.pid), isAlive((await coming).pid), isAlive(other.pid)]).toEqual([false, false, true]);
  expect((await shells.list("b")).map(({ id }) => id)).toEqual([other.id]);
  expect(test.files().every((name) => name.startsWith(other.id))).toBe(true);
});

test("a shell whose worktree has gone while it was being started is taken back", async () => {
  await using test = setUp();
  const { shells, state } = test;
  state.launched = () => {
    state.hasWorktree = false;
  };
  const refused = shells.create("a").catch((error: Error) => error.message);
  await shells.stopShells("a");
  expect(await refused).toBe("The worktree is gone.");
  expect(await shells.list("a")).toEqual([]);
  expect(test.files()).toEqual([]);
});
