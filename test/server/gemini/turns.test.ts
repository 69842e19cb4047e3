// The real Gemini CLI on a board: one of them for everything that can be seen and done while it runs.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ActivityKind, Gauges } from "../../../src/contract.ts";
import { BEGUN, ESC } from "../../support/claude-board.ts";
import { GEMINI } from "../../support/gemini.ts";
import type { Reply } from "../../support/messages-api.ts";
import { ScriptedBoard } from "../../support/scripted-board.ts";
import type { TaskRun } from "../../support/task-run.ts";

setDefaultTimeout(90_000);

const TITLE = "Work with me";
let board: ScriptedBoard;
let run: TaskRun;
let before = 0;

beforeAll(async () => {
  board = await ScriptedBoard.start(GEMINI, { isHere: true });
  run = await board.run(TITLE, ["Understood and **ready**."]);
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
const inWorktree = (name: string) => join(run.task.worktreePath ?? "", name);

async function say(text: string, replies: Reply[]) {
  board.script(TITLE, replies);
  before = run.history.length;
  await run.prompt(text);
}

const shell = (command: string) => ({ tool: "run_shell_command", input: { command } });
const question = {
  tool: "ask_user",
  input: {
    questions: [
      {
        ...{ question: "Which colour?", header: "Colour", type: "choice" },
        options: ["Red", "Blue"].map((label) => ({ label, description: `All in ${label}` })),
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
  await run.until(
    ({ activity }) => activity?.permissions?.allows === "Asks before commands and edits",
    "its permissions",
  );
  expect(run.history).toEqual([...BEGUN, "waiting_for_input finished"]);
});

test("a command is shown in full and runs when it is allowed on the card", async () => {
  await say("Make a file", [shell("echo one > made\ntrue"), "It is made."]);
  const { asks } = await is("permission");
  expect(asks).toMatchObject({ tool: "Shell", summary: "echo one > made true", canAnswer: true });
  expect(asks?.detail).toStartWith("echo one > made\ntrue\n");
  expect(existsSync(inWorktree("made"))).toBe(false);
  expect((await run.answer({ decision: "allow" })).status).toBe(204);
  await is("finished");
  expect(existsSync(inWorktree("made"))).toBe(true);
  expect(steps()).toEqual(asking("permission"));
});

test("a change is denied with words, which are its next prompt", async () => {
  await say("Write it", [
    { tool: "write_file", input: { file_path: inWorktree("denied.txt"), content: "one\ntwo\n" } },
    "Then not.",
  ]);
  const { asks } = await is("permission");
  expect(asks?.detail).toContain("two");
  expect((await run.answer({ decision: "deny", message: "Use another name" })).status).toBe(204);
  expect((await is("finished")).lastReply).toBe("Then not.");
  expect(asked()).toContain("Use another name");
  expect(existsSync(inWorktree("denied.txt"))).toBe(false);
});

test("what is answered in the terminal leaves the card by itself", async () => {
  await say("Ask there", [shell("echo there > there"), "Done there."]);
  await is("permission");
  await run.keys("1");
  await is("finished");
  expect(steps()).toEqual(asking("permission"));
  expect(existsSync(inWorktree("there"))).toBe(true);
});

test("a change that is too long for its dialog can only be allowed in the terminal", async () => {
  const content = Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n");
  await say("Write much", [
    { tool: "write_file", input: { file_path: inWorktree("long.txt"), content } },
    "Written.",
  ]);
  expect((await is("permission")).asks?.canAnswer).toBe(false);
  expect((await run.answer({ decision: "allow" })).status).toBe(409);
  await run.keys("1");
  await is("finished");
  expect(existsSync(inWorktree("long.txt"))).toBe(true);
});

test("of several commands each is asked for, and what is allowed for the session is not asked again", async () => {
  await say("Do three things", [
    { tools: [shell("mkdir left"), shell("touch right")] },
    shell("mkdir again"),
    "All done.",
  ]);
  const { asks } = await is("permission");
  expect((await run.answer({ decision: "always" })).status).toBe(204);
  await run.until((task) => task.asks !== null && task.asks.id !== asks?.id, "the second request");
  expect((await run.answer({ decision: "allow" })).status).toBe(204);
  await is("finished");
  for (const name of ["left", "right", "again"]) expect(existsSync(inWorktree(name))).toBe(true);
});

test("a question is answered on the card, by one of its options or in one's own words", async () => {
  await say("Ask me", [question, "Painted."]);
  const { asks } = await is("question");
  const options = [
    { label: "Red", description: "All in Red" },
    { label: "Blue", description: "All in Blue" },
  ];
  expect(asks?.questions).toMatchObject([{ question: "Which colour?", options }]);
  const answer = (text: string) => run.answer({ decision: "allow", answers: { "Which colour?": text } });
  expect((await answer("Blue")).status).toBe(204);
  await is("finished");
  expect(steps()).toEqual(asking("question"));
  expect(asked()).toContain("Blue");
  await say("Ask me again", [question, "Painted."]);
  await is("question");
  expect((await answer("a greenish grey")).status).toBe(204);
  await is("finished");
  expect(asked()).toContain("a greenish grey");
});

test("Esc interrupts a turn, and the next prompt is taken", async () => {
  await say("Talk for long", [{ begin: "I begin" }]);
  await run.sees(/esc to cancel/);
  await run.keys(ESC);
  const { activity } = await is("idle");
  expect(activity?.reason).toBe("Interrupted.");
  await say("Go on\nin two lines", ["Gone on."]);
  expect((await is("finished")).lastReply).toBe("Gone on.");
  expect(asked()).toContain("Go on\\nin two lines");
});

test("a limit is told while its dialog is open, and after it", async () => {
  const limit: Reply = { status: 429, error: "RESOURCE_EXHAUSTED", message: "You exceeded your quota" };
  await say("Ask too much", [limit]);
  const { activity } = await is("limited");
  expect(activity?.reason).toContain("keep trying or to stop");
  await run.keys("2");
  await run.until(({ activity }) => activity?.reason?.includes("later") === true, "the reason afterwards");
  expect(run.task.activity?.kind).toBe("limited");
});

test("a key that isn't accepted is told with what to do", async () => {
  await say("Without a key", [{ status: 400, error: "INVALID_ARGUMENT", message: "API key not valid." }]);
  expect((await is("trouble")).activity?.reason).toContain("/auth");
});

test("its figures are known: model and context", async () => {
  const { body } = await board.server.get<{ taskId: string; gauges: Gauges }[]>("/api/sessions");
  const gauges = body.find(({ taskId }) => taskId === run.id)?.gauges;
  expect(gauges?.model).toStartWith("gemini-");
  expect(gauges?.contextPercent).toBe(1);
});

test("Stop leaves no process", async () => {
  expect((await board.sessions.act(run.id, "stop")).status).toBe(202);
  await run.ended();
  expect(board.sessions.processesOf(run.id)).toEqual([]);
});
