// The real Claude Code, turn by turn: what the board says of it, and everything it said on the way.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { BEGUN, ClaudeBoard, ESC } from "../../support/claude-board.ts";

setDefaultTimeout(90_000);

let board: ClaudeBoard;
beforeAll(async () => {
  board = await ClaudeBoard.start();
});
afterAll(() => board[Symbol.asyncDispose]());

test("a plain answer", async () => {
  await using run = await board.run("Answer plainly", ["This is the plain answer."]);
  const task = await run.is("finished");
  expect(task).toMatchObject({
    sessionStatus: "waiting_for_input",
    asks: null,
    lastReply: "This is the plain answer.",
    activity: { kind: "finished", reason: null, until: null },
  });
  expect(run.history).toEqual([...BEGUN, "waiting_for_input finished"]);

  // And another turn, sent from the card.
  board.script("Answer plainly", ["And this is the second."]);
  await run.prompt("Once more,\nin two lines");
  await run.until(({ lastReply }) => lastReply === "And this is the second.", "the second reply");
  await run.is("finished");
  expect(run.history.slice(BEGUN.length)).toEqual([
    "waiting_for_input finished",
    "running working",
    "waiting_for_input finished",
  ]);
});

test("several tool calls, of a subagent too, are one piece of work", async () => {
  await using run = await board.run("Use some tools", [
    { say: "I look around.", tools: [{ tool: "Read", input: { file_path: "README.md" } }] },
    { tool: "Bash", input: { command: "ls", description: "List" } },
    {
      tools: [
        {
          tool: "Agent",
          input: { description: "Look", prompt: "Use some tools for me", subagent_type: "general-purpose" },
        },
      ],
    },
    { tool: "Bash", input: { command: "pwd", description: "Where" } },
    "The subagent is done.",
    "All tools were used.",
  ]);
  const task = await run.until(({ lastReply }) => lastReply === "All tools were used.", "the last reply");
  expect(task.activity?.kind).toBe("finished");
  expect(run.history).toEqual([...BEGUN, "waiting_for_input finished"]);
});

test("Esc in mid-turn, which no hook tells of, leaves it idle; the next prompt goes on", async () => {
  await using run = await board.run("Think for long", [{ begin: "I am thinking\n\nand thinking" }]);
  await run.sees(/I am thinking/);
  await run.keys(ESC);
  const task = await run.is("idle");
  expect(task).toMatchObject({ sessionStatus: "waiting_for_input", activity: { reason: "Interrupted." } });
  board.script("Think for long", ["Something else then."]);
  await run.prompt("Do something else");
  await run.is("finished");
  expect(run.history).toEqual([
    ...BEGUN,
    "waiting_for_input idle",
    "running working",
    "waiting_for_input finished",
  ]);
});

test("/clear leaves it idle, in a conversation of another id", async () => {
  await using run = await board.run("Say it and forget it", ["Said."]);
  const { agentSessionId } = await run.is("finished");
  await run.prompt("/clear");
  const task = await run.until(
    (row) => row.activity?.kind === "idle" && row.agentSessionId !== agentSessionId,
    "another conversation",
  );
  expect(task.activity?.reason).toBe("The conversation was cleared.");
  expect(task.agentSessionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(run.history).toEqual([...BEGUN, "waiting_for_input finished", "waiting_for_input idle"]);
});

test("^C twice ends it in order", async () => {
  await using run = await board.run("Be left", ["Goodbye."]);
  await run.is("finished");
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
  expect(run.history).toEqual([...BEGUN, "waiting_for_input finished", "done"]);
});
