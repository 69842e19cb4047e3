// The real Claude Code, turn by turn: what the board says of it, and everything it said on the way.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { ClaudeBoard } from "../../support/claude-board.ts";

setDefaultTimeout(60_000);

let board: ClaudeBoard;
beforeAll(async () => {
  board = await ClaudeBoard.start();
});
afterAll(() => board[Symbol.asyncDispose]());

const BEGUN = ["pending", "provisioning", "running working"] as const;

test("a plain answer", async () => {
  using run = await board.run("Answer plainly", ["This is the plain answer."]);
  const task = await run.is("finished");
  expect(task).toMatchObject({
    sessionStatus: "waiting_for_input",
    asks: null,
    lastReply: "This is the plain answer.",
    activity: { kind: "finished", reason: null, until: null },
  });
  expect(run.history).toEqual([...BEGUN, "waiting_for_input finished"]);
});
