// What can go wrong with the real Claude Code: each has its words, and the next step. Where it can, in one conversation.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Gauges } from "../../../src/contract.ts";
import { readProcess } from "../../../src/host/processes/processes.ts";
import { CLAUDE_VERSIONS } from "../../host/support/claude.ts";
import { BEGUN, ClaudeBoard } from "../../support/claude-board.ts";
import { Conversation } from "./support/conversation.ts";

setDefaultTimeout(90_000);

describe.each(CLAUDE_VERSIONS)("Claude Code %s", (version) => {
  let board: ClaudeBoard;
  let talk: Conversation;
  beforeAll(async () => {
    board = await ClaudeBoard.start({}, { version, isHere: true });
    talk = await Conversation.start(board, "Run into everything", [
      { status: 429, error: "rate_limit_error", message: "This request would exceed your rate limit." },
    ]);
  });
  afterAll(async () => {
    await talk[Symbol.asyncDispose]();
    await board[Symbol.asyncDispose]();
  });

  test("a rate limit", async () => {
    const { activity, sessionStatus } = await talk.is("limited");
    expect(sessionStatus).toBe("waiting_for_input");
    expect(activity?.reason).toContain("would exceed your rate limit");
    expect(talk.steps).toEqual([...BEGUN, "waiting_for_input limited"]);
  });

  test("a login that is not accepted, and the turn after it was put right", async () => {
    await talk.say("Be refused", [
      { status: 401, error: "authentication_error", message: "invalid x-api-key" },
    ]);
    const { activity } = await talk.is("trouble");
    expect(activity?.reason).toMatch(/^Claude Code is not logged in\. .*\/login.* It says: Invalid API key/);
    expect(talk.steps).toEqual(["running working", "waiting_for_input trouble"]);
    await talk.say("Again", ["Now I may."]);
    await talk.is("finished");
    expect(talk.steps).toEqual(["running working", "waiting_for_input finished"]);
  });

  test("no credit", async () => {
    await talk.say("Be poor", [
      {
        status: 400,
        error: "invalid_request_error",
        message: "Your credit balance is too low to access the API.",
      },
    ]);
    expect((await talk.is("trouble")).activity?.reason).toMatch(
      /^There is no credit left\. .* It says: Credit balance/,
    );
  });

  test("a crash in the middle of a question", async () => {
    await talk.say("Crash", [{ tool: "Bash", input: { command: "touch x", description: "x" } }]);
    await talk.is("permission");
    const [agent] = board.sessions.agentsOf(talk.run.id);
    expect(readProcess(agent?.pid ?? 0)).toBeDefined();
    process.kill(agent?.pid ?? 0, "SIGKILL");
    const task = await talk.run.ended();
    expect(task).toMatchObject({ sessionStatus: "failed", activity: null, asks: null });
    expect(task.sessionError).toContain("The agent was ended by SIGKILL.");
    expect(talk.steps).toEqual(["running working", "waiting_for_input permission", "failed"]);
  });

  test("the limit of a subscription, with its figures and when it ends", async () => {
    await using subscribed = await ClaudeBoard.start(
      {
        ANTHROPIC_API_KEY: "",
        CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-made-up-for-a-test",
      },
      { version },
    );
    const reset = Math.ceil(Date.now() / 3_600_000) * 3_600 + 3_600;
    const limits = (used: string, status: string) => ({
      "anthropic-ratelimit-unified-status": status,
      "anthropic-ratelimit-unified-representative-claim": "five_hour",
      "anthropic-ratelimit-unified-reset": String(reset),
      "anthropic-ratelimit-unified-5h-utilization": used,
      "anthropic-ratelimit-unified-5h-reset": String(reset),
      "anthropic-ratelimit-unified-7d-utilization": "0.4",
      "anthropic-ratelimit-unified-7d-reset": String(reset + 86_400),
    });
    const resetsAt = new Date(reset * 1_000).toISOString();
    using events = await subscribed.server.events();
    await using run = await subscribed.run("Use it all up", [
      { text: "Half of it.", headers: limits("0.5", "allowed") },
      { status: 429, error: "rate_limit_error", message: "Too much.", headers: limits("1.0", "rejected") },
    ]);
    const told = await events.until(
      ({ type, data }) => type === "session" && (data.gauges as Gauges | undefined)?.fiveHour != null,
    );
    expect(told.at(-1)?.data.gauges).toMatchObject({
      fiveHour: { usedPercent: 50, resetsAt },
      sevenDay: { usedPercent: 40 },
    });
    await run.is("finished");
    await run.prompt("Use the rest");
    const { activity } = await run.is("limited");
    expect(activity).toMatchObject({ reason: expect.stringContaining("limit"), until: resetsAt });
    expect(run.history.slice(BEGUN.length)).toEqual([
      "waiting_for_input finished",
      "running working",
      "waiting_for_input limited",
    ]);
  });

  test("a repository nobody has trusted yet", async () => {
    await using fresh = await ClaudeBoard.start({}, { version, trusted: false });
    await using run = await fresh.run("Be trusted", ["I am."]);
    await run.until(
      ({ activity }) =>
        activity?.reason?.startsWith(
          "Claude Code asks whether it may trust this repository. Answer in its",
        ) === true,
      "its words",
    );
    // Newer versions have “No” first.
    const isNoFirst = /❯ No, exit/.test(await run.screen());
    await run.answerDialog(/Yes, I trust this folder/, ...(isNoFirst ? ["\x1b[B"] : []), "\r");
    await run.is("finished");
    expect(run.history).toEqual([
      ...BEGUN,
      "waiting_for_input question",
      "running working",
      "waiting_for_input finished",
    ]);
  });
});
