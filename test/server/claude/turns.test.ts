// The real Claude Code, turn by turn in one conversation: what the board says of it, and everything it said on the way.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { CLAUDE_VERSIONS } from "../../host/support/claude.ts";
import { BEGUN, ClaudeBoard, ESC } from "../../support/claude-board.ts";
import { Conversation } from "./support/conversation.ts";

setDefaultTimeout(90_000);

const SHIFT_TAB = "\x1b[Z";

describe.each(CLAUDE_VERSIONS)("Claude Code %s", (version) => {
  const TITLE = "Answer plainly";
  const ONE_TURN = ["running working", "waiting_for_input finished"] as const;

  let board: ClaudeBoard;
  let talk: Conversation;
  beforeAll(async () => {
    board = await ClaudeBoard.start({}, { version, isHere: true });
    talk = await Conversation.start(board, TITLE, ["This is the plain answer."]);
  });
  afterAll(async () => {
    await talk[Symbol.asyncDispose]();
    await board[Symbol.asyncDispose]();
  });

  test("a plain answer", async () => {
    const task = await talk.is("finished");
    expect(task).toMatchObject({
      sessionStatus: "waiting_for_input",
      asks: null,
      lastReply: "This is the plain answer.",
      activity: { kind: "finished", reason: null, until: null },
    });
    expect(talk.steps).toEqual([...BEGUN, "waiting_for_input finished"]);
    expect(await talk.run.isAlternate()).toBe(false);
    expect(task.activity).not.toHaveProperty("less");
  });

  test("another turn, sent from the card", async () => {
    await talk.say("Once more,\nin two lines", ["And this is the second."]);
    await talk.run.until(({ lastReply }) => lastReply === "And this is the second.", "the second reply");
    await talk.is("finished");
    expect(talk.steps).toEqual([...ONE_TURN]);
  });

  test("several tool calls, of a subagent too, are one piece of work", async () => {
    // It answers whenever it likes, and what comes after the turn would be a turn of its own.
    const look = "Look around";
    board.script(look, ["The subagent is done."]);
    await talk.say("Use some tools", [
      { say: "I look around.", tools: [{ tool: "Read", input: { file_path: "README.md" } }] },
      { tool: "Bash", input: { command: "ls", description: "List" } },
      { tool: "Agent", input: { description: "Look", prompt: look, subagent_type: "general-purpose" } },
      { tool: "Bash", input: { command: "pwd", description: "Where" }, until: "The subagent is done." },
      "All tools were used.",
    ]);
    const task = await talk.run.until(
      ({ lastReply }) => lastReply === "All tools were used.",
      "the last reply",
    );
    expect(task.activity?.kind).toBe("finished");
    expect(talk.steps).toEqual([...ONE_TURN]);
  });

  test("Esc in mid-turn, which no hook tells of, leaves it idle; the next prompt goes on", async () => {
    await talk.say("Think for long", [{ begin: "I am thinking\n\nand thinking" }]);
    await talk.run.sees(/I am thinking/);
    await talk.run.keys(ESC);
    const task = await talk.is("idle");
    expect(task).toMatchObject({ sessionStatus: "waiting_for_input", activity: { reason: "Interrupted." } });
    expect(talk.steps).toEqual(["running working", "waiting_for_input idle"]);
    await talk.say("Do something else", ["Something else then."]);
    await talk.is("finished");
    expect(talk.steps).toEqual([...ONE_TURN]);
  });

  test("/clear leaves it idle, in a conversation of another id", async () => {
    const { agentSessionId } = talk.run.task;
    await talk.say("/clear", []);
    const task = await talk.run.until(
      (row) => row.activity?.kind === "idle" && row.agentSessionId !== agentSessionId,
      "another conversation",
    );
    expect(task.activity?.reason).toBe("The conversation was cleared.");
    expect(task.agentSessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(talk.steps).toEqual(["waiting_for_input idle"]);
  });

  test("what it may do is on the card, and changes when somebody changes its mode", async () => {
    const allows = (words: string) =>
      talk.run.until(({ activity }) => activity?.permissions?.allows === words, words);
    await allows("Asks before commands and edits");
    await talk.run.keys(SHIFT_TAB);
    await allows("Edits files, asks before commands");
    await talk.run.keys(SHIFT_TAB);
    await allows("Plans only, changes nothing");
  });

  test("^C twice ends it in order", async () => {
    const { run } = talk;
    await talk.say(`${TITLE} once more`, ["Goodbye."]);
    await talk.is("finished");
    await run.sees(/✻ \S+ for/); // a ^C before the turn has quite ended would only end the turn
    // The second counts for a moment only after the first, which shows on the wire and hardly on the screen.
    const hints = () => run.terminal.text().split("Ctrl-C").length;
    while (run.terminal.closed === undefined) {
      const seen = hints();
      await run.keys("\x03");
      await run.terminal.when(({ closed }) => closed !== undefined || hints() > seen, "a hint, or the end");
    }
    const task = await run.ended();
    expect(task).toMatchObject({ sessionStatus: "done", activity: null, asks: null, lastReply: "Goodbye." });
    expect(talk.steps).toEqual([...ONE_TURN, "done"]);
  });
});
