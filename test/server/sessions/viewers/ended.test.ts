// What there is to see of a session whose program has ended.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { CLOSE } from "../../../../src/contract.ts";
import { keepLastOutput } from "../../../../src/server/hosts/last-output.ts";
import { expectFailure } from "../../../support/board.ts";
import { TerminalBoard } from "../../../support/terminal-board.ts";

let terminals: TerminalBoard;
beforeAll(async () => {
  terminals = await TerminalBoard.startHere();
});
afterAll(() => terminals[Symbol.asyncDispose]());

test("a session that has ended can still be looked at until it is collected", async () => {
  const { task } = await terminals.run(["sh", "-c", "printf done; exit 0"]);
  await terminals.watch(task.id, { plain: true }).expectClose(CLOSE.ended);
  const late = terminals.watch(task.id);
  expect(await late.control("exit")).toEqual({ type: "exit", code: 0, signal: null });
  expect(late.text()).toBe("done");
});

describe("what was kept of a session whose host has gone", () => {
  const PRINTS_MUCH = "read go; head -c 1500000 /dev/zero | tr '\\0' x; printf 'the end'; exit 4";

  /** A viewer that has drawn next to nothing when the program ends, and what is kept of it. */
  async function endedBehind() {
    const { task, sessionId, socketPath, hostPid } = await terminals.run(["sh", "-c", PRINTS_MUCH]);
    const viewer = terminals.watch(task.id);
    await viewer.live();
    viewer.say({ type: "ack", offset: 0 });
    viewer.type("\r");
    await viewer.when(({ offset }) => offset >= 524_288, "as much as is sent ahead");
    const last = join(terminals.server.dataDir, "run", `${sessionId}.last`);
    await keepLastOutput(socketPath, last);
    process.kill(hostPid, "SIGKILL");
    return { task, viewer, last };
  }

  test("comes to a viewer that was behind, when it comes back", async () => {
    const { task, viewer } = await endedBehind();
    await viewer.expectClose(CLOSE.comeBack);
    const again = terminals.watch(task.id, { query: { from: viewer.offset } });
    expect(await again.control("exit")).toEqual({ type: "exit", code: 4, signal: null });
    await again.expectClose(CLOSE.ended);
    expect(again.text().includes("the end")).toBe(true);
  });

  test("counts as nothing when a power cut has cut it short", async () => {
    const { task, viewer, last } = await endedBehind();
    await viewer.expectClose(CLOSE.comeBack);
    for (const length of [100, 0]) {
      truncateSync(last, length);
      await terminals.watch(task.id).expectClose(CLOSE.noSession);
      const screen = await terminals.server.get(`/api/tasks/${task.id}/terminal/screen`);
      expectFailure(screen, "conflict", /terminal is gone/);
    }
  });
});
