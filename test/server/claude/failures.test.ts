// What can go wrong with the real Claude Code: each has its words, and the next step.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readProcess } from "../../../src/host/processes.ts";
import { BEGUN, ClaudeBoard } from "../../support/claude-board.ts";

setDefaultTimeout(90_000);

let board: ClaudeBoard;
beforeAll(async () => {
  board = await ClaudeBoard.start();
});
afterAll(() => board[Symbol.asyncDispose]());

test("a rate limit", async () => {
  await using run = await board.run("Reach the limit", [
    { status: 429, error: "rate_limit_error", message: "This request would exceed your rate limit." },
  ]);
  const { activity, sessionStatus } = await run.is("limited");
  expect(sessionStatus).toBe("waiting_for_input");
  expect(activity?.reason).toContain("would exceed your rate limit");
  expect(run.history).toEqual([...BEGUN, "waiting_for_input limited"]);
});

test("a login that is not accepted, and the turn after it was put right", async () => {
  await using run = await board.run("Be refused", [
    { status: 401, error: "authentication_error", message: "invalid x-api-key" },
  ]);
  const { activity } = await run.is("trouble");
  expect(activity?.reason).toMatch(/^Claude Code is not logged in\. .*\/login.* It says: Invalid API key/);
  board.script("Be refused", ["Now I may."]);
  await run.prompt("Again");
  await run.is("finished");
  expect(run.history).toEqual([
    ...BEGUN,
    "waiting_for_input trouble",
    "running working",
    "waiting_for_input finished",
  ]);
});

test("no credit", async () => {
  await using run = await board.run("Be poor", [
    {
      status: 400,
      error: "invalid_request_error",
      message: "Your credit balance is too low to access the API.",
    },
  ]);
  expect((await run.is("trouble")).activity?.reason).toMatch(
    /^There is no credit left\. .* It says: Credit balance/,
  );
});

test("a crash in the middle of a question", async () => {
  await using run = await board.run("Crash", [
    { tool: "Bash", input: { command: "touch x", description: "x" } },
  ]);
  await run.is("permission");
  const [agent] = board.sessions.agentsOf(run.id);
  expect(readProcess(agent?.pid ?? 0)).toBeDefined();
  process.kill(agent?.pid ?? 0, "SIGKILL");
  const task = await run.ended();
  expect(task).toMatchObject({ sessionStatus: "failed", activity: null, asks: null });
  expect(task.sessionError).toContain("The agent was ended by SIGKILL.");
  expect(run.history).toEqual([...BEGUN, "waiting_for_input permission", "failed"]);
});

test("stopped in the middle of a question", async () => {
  await using run = await board.run("Be stopped", [
    { tool: "Bash", input: { command: "touch x", description: "x" } },
  ]);
  await run.is("permission");
  expect((await board.sessions.act(run.id, "stop")).status).toBe(202);
  await run.ended();
  expect(run.history).toEqual([...BEGUN, "waiting_for_input permission", "failed"]);
});

test("a repository nobody has trusted yet, and a Claude Code nobody has set up", async () => {
  await using fresh = await ClaudeBoard.start({}, { trusted: false });
  await using run = await fresh.run("Be trusted", ["I am."]);
  const { activity } = await run.is("question");
  expect(activity?.reason).toStartWith(
    "Claude Code asks whether it may trust this repository. Answer in its",
  );
  await run.keys("\r");
  await run.is("finished");
  expect(run.history).toEqual([
    ...BEGUN,
    "waiting_for_input question",
    "running working",
    "waiting_for_input finished",
  ]);
});
