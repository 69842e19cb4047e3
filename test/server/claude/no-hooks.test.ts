// The real Claude Code with its hooks turned off: title, screen and silence have to do.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BEGUN, ClaudeBoard, ESC } from "../../support/claude-board.ts";

setDefaultTimeout(90_000);

let board: ClaudeBoard;
beforeAll(async () => {
  board = await ClaudeBoard.start();
  mkdirSync(join(board.server.home, ".claude"), { recursive: true });
  writeFileSync(join(board.server.home, ".claude", "settings.json"), '{ "disableAllHooks": true }');
});
afterAll(() => board[Symbol.asyncDispose]());

test("it works, asks in its terminal only, and finishes", async () => {
  await using run = await board.run("Go without hooks", [
    { tool: "Bash", input: { command: "touch made", description: "Make it" } },
    "Made without hooks.",
  ]);
  const task = await run.is("question");
  expect(task).toMatchObject({ activity: { reason: "Do you want to proceed?" }, asks: null });
  await run.keys("\r");
  await run.is("finished");
  expect(run.history).toEqual([
    ...BEGUN,
    "waiting_for_input question",
    "running working",
    "waiting_for_input finished",
  ]);
});

test("an interrupt is seen", async () => {
  await using run = await board.run("Think without hooks", [{ begin: "I am thinking\n\nand thinking" }]);
  await run.sees(/I am thinking/);
  await run.keys(ESC);
  await run.is("finished");
  expect(run.history).toEqual([...BEGUN, "waiting_for_input finished"]);
});
