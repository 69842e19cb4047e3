// The real OpenCode on a board: one of them for everything that can be seen and done while it runs.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PINNED } from "../../../bin/lib/agent-programs.ts";
import type { ActivityKind, Gauges } from "../../../src/contract.ts";
import { BEGUN, ESC } from "../../support/claude-board.ts";
import type { Reply } from "../../support/messages-api.ts";
import { OPENCODE } from "../../support/opencode.ts";
import { ScriptedBoard } from "../../support/scripted-board.ts";
import type { TaskRun } from "../../support/task-run.ts";

setDefaultTimeout(180_000);

const TITLE = "Work with me";
let board: ScriptedBoard;
let run: TaskRun;
let before = 0;

beforeAll(async () => {
  board = await ScriptedBoard.start(OPENCODE, { isHere: true });
  run = await board.run(TITLE, ["Understood and **ready**."]);
  await board.hasStarted(TITLE);
});
afterAll(async () => {
  await run[Symbol.asyncDispose]();
  await board[Symbol.asyncDispose]();
});

/** The states of the card in this turn alone. */
const steps = () => run.history.slice(before);
const is = (kind: ActivityKind) =>
  run.until(({ activity }) => steps().length > 0 && activity?.kind === kind, kind);
const asked = () => board.asked.get(TITLE) ?? "";
/** Twice, the second time within a while of the first. */
async function interrupt() {
  await run.keys(ESC);
  await run.sees(/esc again/);
  await run.keys(ESC);
}
const inWorktree = (name: string) => join(run.task.worktreePath ?? "", name);

async function say(text: string, replies: Reply[]) {
  board.script(TITLE, replies);
  before = run.history.length;
  await run.prompt(text);
}

const bash = (command: string) => ({ tool: "bash", input: { command, description: "Do it" } });
const question = {
  tool: "question",
  input: {
    questions: [
      {
        question: "Which colours?",
        header: "Colours",
        multiple: true,
        options: ["Red", "Green", "Blue"].map((label) => ({ label, description: `All ${label}` })),
      },
    ],
  },
};
const asking = (kind: "permission" | "question") => [
  "running working" as const,
  `waiting_for_input ${kind}` as const,
  "running working" as const,
  "waiting_for_input finished" as const,
];

test("it takes the task's text, and its reply is on the card when the turn is over", async () => {
  const task = await is("finished");
  expect(task.lastReply).toBe("Understood and **ready**.");
  expect(task.agentSessionId).toMatch(/^ses_/);
  expect(task.activity?.permissions).toEqual({
    allows: "Asks before commands and edits",
    isUnlimited: false,
  });
  expect(run.history).toEqual([...BEGUN, "waiting_for_input finished"]);
});

test("a command is shown in full and runs when it is allowed on the card", async () => {
  await say("Make a file", [bash("touch made\ntrue"), "It is made."]);
  const { asks } = await is("permission");
  expect(asks).toMatchObject({ tool: "bash", detail: "touch made\ntrue", canAnswer: true });
  expect(existsSync(inWorktree("made"))).toBe(false);
  expect((await run.answer({ decision: "allow" })).status).toBe(204);
  await is("finished");
  expect(existsSync(inWorktree("made"))).toBe(true);
  expect(steps()).toEqual(asking("permission"));
});

test("a change is shown as a diff, and denied with words that the model reads", async () => {
  await say("Write it", [
    { tool: "write", input: { filePath: inWorktree("denied.txt"), content: "one\ntwo\n" } },
    "Then not.",
  ]);
  const { asks } = await is("permission");
  expect(asks?.summary).toStartWith("Edit ");
  expect(asks?.detail).toContain("+two");
  expect((await run.answer({ decision: "deny", message: "Use another name" })).status).toBe(204);
  expect((await is("finished")).lastReply).toBe("Then not.");
  expect(asked()).toContain("Use another name");
  expect(existsSync(inWorktree("denied.txt"))).toBe(false);
});

test("what would let an agent answer for its person is refused, and nobody is asked", async () => {
  const { dataDir } = board.server;
  const token = join(dataDir, "token");
  await say("Read the token", [
    { tool: "read", input: { filePath: token } },
    { tool: "read", input: { filePath: "../../token" } },
    bash(`cat ${token}`),
    { tool: "write", input: { filePath: join(dataDir, "agents.toml"), content: "[agents.own]" } },
    "I may not.",
  ]);
  await is("finished");
  expect(steps()).toEqual(["running working", "waiting_for_input finished"]);
  expect(asked().split("This is banto's own").length - 1).toBe(4);
  expect(asked()).not.toContain(board.server.token);
});

test("what is answered in the terminal leaves the card by itself", async () => {
  await say("Ask there", [bash("touch there"), "Done there."]);
  await is("permission");
  await run.sees(/Permission required/);
  await run.keys("\r");
  await is("finished");
  expect(steps()).toEqual(asking("permission"));
  expect(existsSync(inWorktree("there"))).toBe(true);
});

test("what is always allowed is not asked again", async () => {
  await say("Do two things", [bash("mkdir first"), bash("mkdir second"), "Both done."]);
  const { asks } = await is("permission");
  expect(asks?.always).toContain("bash(mkdir *)");
  await run.answer({ decision: "always" });
  await is("finished");
  expect(steps()).toEqual(asking("permission"));
  expect(existsSync(inWorktree("second"))).toBe(true);
});

test("of two commands at once each is asked for", async () => {
  await say("Do both at once", [{ tools: [bash("touch left"), bash("touch right")] }, "Both at once."]);
  const { asks } = await is("permission");
  await run.answer({ decision: "allow" });
  const other = await run.until(
    (task) => task.asks !== null && task.asks.id !== asks?.id,
    "the second request",
  );
  expect([asks?.detail, other.asks?.detail].toSorted()).toEqual(["touch left", "touch right"]);
  await run.answer({ decision: "allow" });
  await is("finished");
});

test("a question is answered on the card, with several of its options and words of one's own", async () => {
  await say("Ask me", [question, "Painted."]);
  const { asks } = await is("question");
  expect(asks?.questions).toMatchObject([{ question: "Which colours?", multiple: true }]);
  const answers = { "Which colours?": "Red, Blue, and a bit of black" };
  expect((await run.answer({ decision: "allow", answers })).status).toBe(204);
  await is("finished");
  expect(asked()).toContain("and a bit of black");
  expect(steps()).toEqual(asking("question"));
});

test("Esc interrupts a turn, and the next prompt is taken", async () => {
  await say("Talk for long", [{ begin: "I begin" }]);
  await run.sees(/I begin/);
  await interrupt();
  const { activity } = await is("idle");
  expect(activity?.reason).toBe("Interrupted.");
  await say("Go on\nin two lines", ["Gone on."]);
  expect((await is("finished")).lastReply).toBe("Gone on.");
  expect(asked()).toContain("Go on\\nin two lines");
});

test("a rate limit is told with the time of the next attempt, and Esc ends it", async () => {
  const limit: Reply = {
    ...{ status: 429, error: "rate_limit_exceeded", message: "Rate limit reached for requests" },
    headers: { "retry-after": "3600" },
  };
  await say("Ask too much", [limit]);
  const { activity } = await is("limited");
  expect(Date.parse(activity?.until ?? "")).toBeGreaterThan(Date.now() + 3_000_000);
  expect(activity?.reason).toContain("Rate limit reached");
  await interrupt();
  await is("idle");
});

test("a login that isn't accepted is told with what to do", async () => {
  await say("Without a key", [{ status: 401, error: "invalid_api_key", message: "Incorrect API key" }]);
  const { activity } = await is("trouble");
  expect(activity?.reason).toContain("opencode auth login");
  expect(activity?.reason).toContain("Incorrect API key");
});

test("its figures are known: model, context, cost, version", async () => {
  const { body } = await board.server.get<{ taskId: string; gauges: Gauges }[]>("/api/sessions");
  const gauges = body.find(({ taskId }) => taskId === run.id)?.gauges;
  expect(gauges).toMatchObject({ model: "scripted", contextPercent: 1.1, version: PINNED.opencode[0] });
  expect(gauges?.costUsd).toBeGreaterThan(0.001);
});

test("Stop leaves no process", async () => {
  expect((await board.sessions.act(run.id, "stop")).status).toBe(202);
  await run.ended();
  expect(board.sessions.processesOf(run.id)).toEqual([]);
});
