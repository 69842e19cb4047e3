// The real Claude Code with its hooks turned off: title, screen and silence have to do. One conversation.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BEGUN, ClaudeBoard, ESC } from "../../support/claude-board.ts";
import { Conversation } from "./support/conversation.ts";

setDefaultTimeout(90_000);

let board: ClaudeBoard;
let talk: Conversation;
beforeAll(async () => {
  board = await ClaudeBoard.start({}, { isHere: true });
  mkdirSync(join(board.server.home, ".claude"), { recursive: true });
  writeFileSync(join(board.server.home, ".claude", "settings.json"), '{ "disableAllHooks": true }');
  talk = await Conversation.start(board, "Go without hooks", [
    { tool: "Bash", input: { command: "touch made", description: "Make it" } },
    "Made without hooks.",
  ]);
});
afterAll(async () => {
  await talk[Symbol.asyncDispose]();
  await board[Symbol.asyncDispose]();
});

test("it works, asks in its terminal only, and finishes", async () => {
  const task = await talk.is("question");
  expect(task).toMatchObject({ activity: { reason: "Do you want to proceed?" }, asks: null });
  await talk.run.keys("\r");
  await talk.is("finished");
  expect(talk.steps).toEqual([
    ...BEGUN,
    "waiting_for_input question",
    "running working",
    "waiting_for_input finished",
  ]);
});

test("an interrupt is seen", async () => {
  await talk.say("Think without hooks", [{ begin: "I am thinking\n\nand thinking" }]);
  await talk.run.sees(/I am thinking/);
  await talk.run.keys(ESC);
  await talk.is("finished");
  expect(talk.steps).toEqual(["running working", "waiting_for_input finished"]);
});
