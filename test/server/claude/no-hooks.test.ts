// The real Claude Code with its hooks turned off, on a screen of its own, where dialogs blink. What it says of its state
// in other ways has to do. One conversation.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { CLAUDE_VERSIONS, claudeSettings } from "../../host/support/claude.ts";
import { BEGUN, ClaudeBoard, ESC } from "../../support/claude-board.ts";
import { Conversation } from "./support/conversation.ts";

setDefaultTimeout(90_000);

describe.each(CLAUDE_VERSIONS)("Claude Code %s", (version) => {
  let board: ClaudeBoard;
  let talk: Conversation;
  beforeAll(async () => {
    board = await ClaudeBoard.start({ CLAUDE_CODE_NO_FLICKER: "1" }, { version, isHere: true });
    claudeSettings(board.server.home, { disableAllHooks: true });
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
    const task = await talk.is("permission");
    expect(task).toMatchObject({
      activity: { reason: expect.stringContaining("in its terminal") },
      asks: null,
    });
    expect(await talk.run.isAlternate()).toBe(true);
    await talk.run.until(({ activity }) => activity?.less !== undefined, "that its hooks are missed");
    await talk.run.answerDialog(/1\. Yes/, "\r");
    await talk.is("finished");
    expect(talk.steps).toEqual([
      ...BEGUN,
      "waiting_for_input permission",
      "running working",
      "waiting_for_input finished",
    ]);
  });

  test("an interrupt is seen", async () => {
    await talk.say("Think without hooks", [{ begin: "I am thinking\n\nand thinking" }]);
    await talk.run.sees(/I am thinking/);
    await talk.run.keys(ESC);
    // Of an end, older versions say only that there is nothing to do; the screen says more.
    await talk.is("idle");
    expect(talk.steps).toEqual(["running working", "waiting_for_input idle"]);
  });
});
