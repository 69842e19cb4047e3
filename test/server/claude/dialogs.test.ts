// What stands in Claude Code's terminal without being asked by a hook: the card says so, and no prompt is typed at it.
// All in one conversation that begins with a plan.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLAUDE_VERSIONS } from "../../host/support/claude.ts";
import { expectFailure } from "../../support/board.ts";
import { BEGUN, ClaudeBoard, type ClaudeRun, ESC } from "../../support/claude-board.ts";
import { Conversation } from "./support/conversation.ts";

setDefaultTimeout(90_000);

const TITLE = "Plan it first";
const ONE_TURN = ["running working", "waiting_for_input finished"] as const;
const HELD = /^(A dialog is open|The agent is asking)/;
const HELD_OR_FILLED = /^(A dialog is open|The agent is asking|Its prompt box|Something is typed)/;
const ERASE = "\x15";
const LEFT = "\x1b[D";

/**
 * The second ^C counts for a moment only after the first, which does nothing while its last turn is just ending; a third
 * would answer what the second has asked.
 */
async function askToLeave(run: ClaudeRun): Promise<void> {
  const shows = async (pattern: RegExp, ms: number) => {
    const pressed = performance.now();
    while (performance.now() - pressed < ms) if (pattern.test(await run.screen())) return true;
    return false;
  };
  for (let tries = 0; tries < 5; tries++) {
    await run.keys("\x03");
    if (!(await shows(/again to exit/, 5_000))) continue;
    await run.keys("\x03");
    if (await shows(/Background work is running/, 5_000)) return;
  }
  throw new Error("never asked what becomes of the shell");
}

describe.each(CLAUDE_VERSIONS)("Claude Code %s", (version) => {
  let board: ClaudeBoard;
  let talk: Conversation;
  beforeAll(async () => {
    board = await ClaudeBoard.start({}, { version, isHere: true });
    const plan = { tool: "ExitPlanMode", input: { plan: "# The plan\n\nMake it." } };
    const planning = { agentOptions: { permissionMode: "plan" } };
    talk = await Conversation.start(board, TITLE, [plan, "It is made."], planning);
  });
  afterAll(async () => {
    await talk[Symbol.asyncDispose]();
    await board[Symbol.asyncDispose]();
  });

  test("a plan that is approved from the board is carried out", async () => {
    const { asks } = await talk.is("permission");
    expect(asks).toMatchObject({ tool: "ExitPlanMode", canAnswer: true });
    expect((await talk.run.answer({ decision: "allow" })).status).toBe(204);
    await talk.run.until(({ lastReply }) => lastReply === "It is made.", "the reply");
    await talk.is("finished");
    expect(talk.steps).toEqual([...BEGUN, "waiting_for_input permission", ...ONE_TURN]);
  });

  test("no prompt is typed at a dialog that somebody has opened; once it is closed one is taken", async () => {
    const { run } = talk;
    talk.newTurn();
    await run.prompt("/model");
    const { activity } = await run.until(
      ({ activity }) => activity?.reason?.includes("“Select model”") === true,
      "the dialog on the card",
    );
    expect(activity?.kind).toBe("question");
    expectFailure(await run.tryPrompt("Go on"), "conflict", HELD);
    await run.answerDialog(/Select model/, ESC);
    await talk.is("finished");
    expect(talk.steps.slice(0, 2)).toEqual(["waiting_for_input question", "waiting_for_input finished"]);
    board.script(TITLE, ["Gone on."]);
    // Its screen is looked at once it has been silent for a moment, and until then shows the dialog.
    let answer = await run.tryPrompt("Go on");
    for (; answer.status === 409; answer = await run.tryPrompt("Go on")) await Bun.sleep(50);
    expect(answer.status).toBe(204);
    await run.until(({ lastReply }) => lastReply === "Gone on.", "the reply");
  });

  test("a prompt that meets a dialog nobody has told of yet is not typed, nor over what somebody is typing", async () => {
    const { run } = talk;
    await talk.is("finished");
    await run.keys("/model", "\r");
    await run.sees(/Select model/);
    expectFailure(
      await run.tryPrompt("1"),
      "conflict",
      /^(A dialog is open|The agent is asking|Its prompt box)/,
    );
    await run.answerDialog(/Select model/, ESC);
    await run.sees(/❯\s*$/m);
    await run.keys("half a thought");
    await run.sees(/❯\shalf a thought$/m);
    expectFailure(await run.tryPrompt("Go on"), "conflict", HELD_OR_FILLED);
    await run.keys(ERASE);
    await run.sees(/❯\s*$/m);
  });

  test("a prompt that it doesn't take is erased again, and said not to have been taken", async () => {
    const { run } = talk;
    // For Claude, an Enter after a backslash begins another line.
    let answer = await run.tryPrompt("Unfinished \\");
    for (; !/take it/.test(JSON.stringify(answer.body)); answer = await run.tryPrompt("Unfinished \\"))
      expectFailure(answer, "conflict", HELD_OR_FILLED);
    expectFailure(answer, "conflict", "The agent didn't take it.");
    expect(await run.screen()).toMatch(/❯\s*$/m);
  });

  test("← leaves it where it is", async () => {
    const { agentSessionId } = talk.run.task;
    await talk.run.keys(LEFT);
    await talk.run.keys("x");
    await talk.run.sees(/❯\sx/);
    await talk.run.keys("\x7f");
    await talk.run.sees(/❯\s*$/m);
    await talk.say("Still here?", ["Still here."]);
    const row = await talk.run.until(({ lastReply }) => lastReply === "Still here.", "the reply");
    expect(row.agentSessionId).toBe(agentSessionId);
  });

  test("a conversation that is compacted by hand is not interrupted", async () => {
    await talk.is("finished");
    await talk.say("/compact", ["A summary."]);
    await talk.is("working");
    await talk.is("finished");
    expect(talk.steps).toEqual([...ONE_TURN]);
  });

  test("a command of one's own works for as long as it runs", async () => {
    const { run } = talk;
    talk.newTurn();
    await run.keys("!");
    await run.sees(/! for shell mode|! for bash mode|^!/m);
    await run.keys("until [ -e stop-it ]; do sleep 0.05; done", "\r");
    await talk.is("working");
    writeFileSync(join(run.task.worktreePath ?? "", "stop-it"), "");
    await talk.is("finished");
    expect(talk.steps).toEqual([...ONE_TURN]);
  });

  test("a shell that outlives its turn is told, as is the question what becomes of it at the end", async () => {
    const { run } = talk;
    await run.sees(/❯/);
    const input = { command: "sleep 1000", description: "Wait for long", run_in_background: true };
    // With the title again, by which its replies are found: the first one was compacted.
    await talk.say(`${TITLE}, then start a shell`, [{ tool: "Bash", input }, "It is started."]);
    await run.until(
      ({ activity, lastReply }) => activity?.kind === "background" && lastReply === "It is started.",
      "work in the background",
    );
    expect(run.task.activity?.reason).toContain("till running");
    await askToLeave(run);
    await run.until(
      ({ activity }) => activity?.reason?.includes("“Background work is running”") === true,
      "the dialog on the card",
    );
    expect(run.task.activity?.kind).toBe("question");
    expectFailure(await run.tryPrompt("Go on"), "conflict", HELD);
    await run.answerDialog(/Background work is running/, ESC);
    await talk.is("background");
  });
});
