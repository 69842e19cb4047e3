// The real Codex through a session of many turns: every state, told at once and without detours.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../host/support/host.ts";
import { BEGUN, ESC } from "../../support/claude-board.ts";
import { CodexBoard, type CodexRun } from "../../support/codex-board.ts";
import { type Reply, results, said, shell } from "../../support/responses-api.ts";

setDefaultTimeout(90_000);

const TITLE = "Talk with me";
let board: CodexBoard;
let run: CodexRun;
beforeAll(async () => {
  board = await CodexBoard.start({ isHere: true });
  board.configure({ hasMcpServer: true });
  run = await board.run(TITLE, ["Hello, I am here."]);
});
afterAll(async () => {
  await run?.[Symbol.asyncDispose]();
  await board[Symbol.asyncDispose]();
});

const inWorktree = (name: string) => join(run.task.worktreePath ?? "", name);
const lastResult = () => {
  const request = board.asked.get(TITLE);
  return request === undefined ? "" : (results(request).at(-1) ?? "");
};

/** Sends the next prompt, to which the model says this, and tells every state from then on. */
async function say(text: string, replies: Reply[], send = run.prompt): Promise<() => string[]> {
  board.script(TITLE, replies);
  const before = run.rows.length;
  await send(text);
  return () => {
    const steps = run.rows
      .slice(before)
      .map(({ sessionStatus, activity }) => `${sessionStatus} ${activity?.kind}`);
    return steps.filter((step, i) => step !== steps[i - 1]);
  };
}

const WORKED = ["running working", "waiting_for_input finished"];
const ASKED = ["running working", "waiting_for_input permission", ...WORKED];

test("a plain answer, to a client that Codex presents as itself", async () => {
  const task = await run.is("finished");
  expect(run.history).toEqual([...BEGUN, "waiting_for_input finished"]);
  expect(task.lastReply).toBe("Hello, I am here.");
  await run.until(
    ({ activity }) => activity?.permissions?.allows === "Works in its sandbox, asks to leave it",
    "its permissions",
  );
  expect(task.agentSessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect([...board.originators]).toEqual(["codex-tui"]);
});

test("a prompt in several lines and several tools, during which it works", async () => {
  const steps = await say("First line\nsecond line", [
    { calls: [shell("echo one", false), { tool: "update_plan", input: { plan: [] } }] },
    { patch: "*** Begin Patch\n*** Add File: made.txt\n+by a patch\n*** End Patch\n" },
    "All done.",
  ]);
  await run.until(({ lastReply }) => lastReply === "All done.", "the end");
  expect(steps()).toEqual(WORKED);
  const request = board.asked.get(TITLE);
  expect(request && said(request)).toContain("First line\nsecond line");
  expect(readFileSync(inWorktree("made.txt"), "utf8")).toBe("by a patch\n");
});

test("a command allowed on the card; meanwhile prompts are held", async () => {
  const steps = await say("Touch it", [shell("touch allowed"), "Touched."]);
  const { asks } = await run.is("permission");
  expect(asks).toMatchObject({
    tool: "Command",
    summary: "touch allowed",
    always: "this command, for the rest of this session",
    questions: null,
    canAnswer: true,
  });
  expect(asks?.detail).toBe(
    `touch allowed\n\n# May I run touch allowed?\n# in ${run.task.worktreePath ?? ""}`,
  );
  const held = await run.send("Too early");
  expect([held.status, held.body.error?.message]).toEqual([
    409,
    "The agent is asking something. Answer that first.",
  ]);
  expect((await run.answer({ decision: "allow" })).status).toBe(204);
  expect((await run.answer({ ask: asks?.id, decision: "deny" })).status).toBe(409);
  await run.is("finished");
  expect(steps()).toEqual(ASKED);
  expect(existsSync(inWorktree("allowed"))).toBe(true);
  expect(lastResult()).toContain("exited with code 0");
});

test("denied with words, which come to the model as the next input", async () => {
  const steps = await say("Touch another", [shell("touch denied"), "As you like."]);
  await run.is("permission");
  expect((await run.answer({ decision: "deny", message: "Use a folder" })).status).toBe(204);
  await run.until(
    ({ activity, lastReply }) => activity?.kind === "finished" && lastReply !== "Touched.",
    "the end",
  );
  expect(steps()).toEqual(ASKED);
  expect(existsSync(inWorktree("denied"))).toBe(false);
  const heard = () => JSON.stringify(board.asked.get(TITLE)?.input);
  await until(() => heard().includes("Use a folder"), "the words");
  expect(heard()).toContain("rejected by user");
});

test("answered in the terminal, the card lets go of it by itself", async () => {
  const steps = await say("Touch a third", [shell("touch third"), "Touched the third."]);
  await run.is("permission");
  await run.answerDialog(/Would you like to run[\s\S]*touch third[\s\S]*Yes, proceed/, "y");
  await run.until(({ lastReply }) => lastReply === "Touched the third.", "the end");
  expect(steps()).toEqual(ASKED);
  expect(existsSync(inWorktree("third"))).toBe(true);
  expect(run.task.asks).toBeNull();
});

test("allowed for the session, the same is not asked again; two at once are asked one by one", async () => {
  await say("Touch two", [
    { calls: [shell("touch fourth"), shell("touch fifth")] },
    shell("touch fourth"),
    "Touched two.",
  ]);
  const first = await run.is("permission");
  expect((await run.answer({ decision: "always" })).status).toBe(204);
  await run.until(({ asks }) => asks !== null && asks.id !== first.asks?.id, "the second");
  expect((await run.answer({ decision: "always" })).status).toBe(204);
  await run.until(({ lastReply }) => lastReply === "Touched two.", "the end");
  expect(existsSync(inWorktree("fifth"))).toBe(true);
});

test("an edit elsewhere, shown as a diff", async () => {
  const outside = join(board.server.home, "outside.txt");
  const steps = await say("Edit elsewhere", [
    { patch: `*** Begin Patch\n*** Add File: ${outside}\n+one\n+two\n*** End Patch\n` },
    "Edited.",
  ]);
  const { asks } = await run.is("permission");
  expect(asks).toMatchObject({ tool: "Edit", summary: `Write ${outside}` });
  expect(asks?.detail).toBe(`+++ ${outside}\n+one\n+two`);
  expect((await run.answer({ decision: "allow" })).status).toBe(204);
  await run.until(({ lastReply }) => lastReply === "Edited.", "the end");
  expect(steps()).toEqual(ASKED);
  expect(readFileSync(outside, "utf8")).toBe("one\ntwo\n");
});

test("questions answered on the card, by an option and in words", async () => {
  await run.keys("/plan");
  await run.sees(/\/plan +switch to Plan|› \/plan/);
  await run.keys("\r");
  await run.sees(/Plan mode/);
  const options = ["Red", "Blue"].map((label) => ({ label, description: `All in ${label}` }));
  const replies: Reply[] = [
    {
      tool: "request_user_input",
      input: {
        questions: [
          { id: "colour", header: "Colour", question: "Which colour?", options },
          { id: "number", header: "Number", question: "How many?", options },
        ],
      },
    },
    "Painted.",
  ];
  // Its terminal knows the mode at once, its server a moment later.
  const steps = await say("Ask me", replies, run.type);
  const { asks } = await run.is("question");
  expect(asks?.questions?.map(({ question, header, options: [first] }) => [question, header, first])).toEqual(
    [
      ["Which colour?", "Colour", { label: "Red", description: "All in Red" }],
      ["How many?", "Number", { label: "Red", description: "All in Red" }],
    ],
  );
  const answers = { "Which colour?": "Blue", "How many?": "seven" };
  expect((await run.answer({ decision: "allow", answers: { "Which colour?": "Blue" } })).status).toBe(422);
  expect((await run.answer({ decision: "allow", answers })).status).toBe(204);
  await run.until(({ lastReply }) => lastReply === "Painted.", "the end");
  expect(steps()).toEqual(["running working", "waiting_for_input question", ...WORKED]);
  expect(lastResult()).toContain("Blue");
  expect(lastResult()).toContain("seven");
});

test("a form of an MCP server's, answered in the terminal", async () => {
  const steps = await say("Use the lab", [{ tool: "ask", input: {}, namespace: "mcp__lab" }, "Used."]);
  const { activity, asks } = await run.is("question");
  expect(activity?.reason).toBe(
    "The MCP server lab asks: “Which colour do you like?” Answer in its terminal.",
  );
  expect(asks).toBeNull();
  expect((await run.send("Too early")).status).toBe(409);
  await run.answerDialog(/Type your answer/, "blue");
  await run.answerDialog(/Which colour do you like/, "\r");
  await run.until(({ lastReply }) => lastReply === "Used.", "the end");
  expect(steps()).toEqual(["running working", "waiting_for_input question", ...WORKED]);
});

test("a command that goes on after the turn, until it ends", async () => {
  const steps = await say("Start it", [
    { tool: "exec_command", input: { cmd: "until [ -e end ]; do sleep 0.05; done", yield_time_ms: 250 } },
    "It runs.",
  ]);
  const { activity, lastReply } = await run.is("background");
  expect(lastReply).toBe("It runs.");
  expect(activity?.reason).toBe("Still running: until [ -e end ]; do sleep 0.05; done.");
  writeFileSync(inWorktree("end"), "");
  await run.is("finished");
  expect(steps()).toEqual(["running working", "waiting_for_input background", "waiting_for_input finished"]);
});

test("Esc in its terminal, and the turn after that", async () => {
  const steps = await say("Muse", [{ begin: "I muse about" }]);
  await run.sees(/I muse about/);
  await run.keys(ESC);
  expect((await run.is("idle")).activity?.reason).toBe("Interrupted.");
  expect(steps()).toEqual(["running working", "waiting_for_input idle"]);
  await say("Again", ["Here again."]);
  await run.until(({ lastReply }) => lastReply === "Here again.", "the end");
});

const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600;

test("figures: context, limits and when they are renewed", async () => {
  const resets = inAnHour();
  await say("Count", [
    {
      text: "Counted.",
      headers: {
        "x-codex-primary-used-percent": "12",
        "x-codex-primary-window-minutes": "300",
        "x-codex-primary-reset-at": String(resets),
        "x-codex-secondary-used-percent": "40",
        "x-codex-secondary-window-minutes": "10080",
        "x-codex-secondary-reset-at": String(resets),
      },
    },
  ]);
  await run.until(({ lastReply }) => lastReply === "Counted.", "the end");
  await say("Go on", ["Went on."]);
  await run.until(({ lastReply }) => lastReply === "Went on.", "the end");
  const resetsAt = new Date(resets * 1_000).toISOString();
  expect(await run.gauges()).toEqual({
    model: "gpt-6-sol",
    contextPercent: expect.closeTo(10.6, 0),
    costUsd: null,
    fiveHour: { usedPercent: 12, resetsAt },
    sevenDay: { usedPercent: 40, resetsAt },
    version: "0.169.0",
  });
});

test("a usage limit, until it is renewed", async () => {
  const resets = inAnHour();
  const steps = await say("Be limited", [
    {
      status: 429,
      error: { type: "usage_limit_reached", plan_type: "plus", resets_at: resets, message: "limit" },
      headers: {
        "x-codex-primary-used-percent": "100",
        "x-codex-primary-window-minutes": "300",
        "x-codex-primary-reset-at": String(resets),
      },
    },
  ]);
  const { activity } = await run.is("limited");
  expect(activity?.until).toBe(new Date(resets * 1_000).toISOString());
  expect(activity?.reason).toMatch(/^You’ve hit your usage limit\./);
  expect(steps()).toEqual(["running working", "waiting_for_input limited"]);
});

test("a conversation that is too long, and what to do", async () => {
  await say("Be long", [{ failed: "context_length_exceeded", message: "too long" }]);
  expect((await run.is("trouble")).activity?.reason).toMatch(/^The conversation is too long .*\/compact/);
});

test("a crash of its terminal program ends the session, and with it its server", async () => {
  await say("Crash", [shell("touch never")]);
  await run.is("permission");
  const found = board.sessions.processesOf(run.id);
  const terminal = found.find(({ command }) => command.includes("--remote") && !command.includes("/bin/sh"));
  process.kill(terminal?.pid ?? 0, "SIGKILL");
  const task = await run.ended();
  expect(task.sessionError).toMatch(/SIGKILL/);
  await until(() => board.sessions.processesOf(run.id).length === 0, "the end of its server");
});
