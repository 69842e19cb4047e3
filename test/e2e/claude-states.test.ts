// The real Claude Code in every state, and what someone at the page sees of it. test/server/claude has each state
// without the page, agent-states.test.ts the page without Claude; both at once is for the deep tier.

import { expect, setDefaultTimeout, test } from "bun:test";
import { until } from "../host/support/host.ts";
import { withBrowser } from "../support/browser.ts";
import { BEGUN, ESC } from "../support/claude-board.ts";
import { ClaudeScene } from "../support/claude-scene.ts";
import { DEPTH } from "../support/depth.ts";

const browser = withBrowser();
setDefaultTimeout(120_000);

test.if(DEPTH.everyClaudeStateInPage)(
  "answers, tools, an interruption and a cleared conversation",
  async () => {
    await using scene = await ClaudeScene.open(browser);
    const { tab, board } = scene;
    const plain = await scene.run("Answer plainly", ["The plain answer."]);
    await plain.is("finished");
    await tab.expectState("Answer plainly", "Turn finished");
    await tab.card("Answer plainly").getByText("The plain answer.").waitFor();

    const tools = await scene.run("Use some tools", [
      { tool: "Read", input: { file_path: "README.md" } },
      { tool: "Bash", input: { command: "ls", description: "List" } },
      "Both were used.",
    ]);
    await tools.is("finished");
    await tab.card("Use some tools").getByText("Both were used.").waitFor();
    expect(tools.history).toEqual([...BEGUN, "waiting_for_input finished"]);

    const long = await scene.run("Think for long", [{ begin: "I am thinking\n\nand thinking" }]);
    await long.sees(/I am thinking/);
    await tab.expectState("Think for long", "Working");
    await long.keys(ESC);
    await long.is("idle");
    await tab.expectState("Think for long", "Idle");
    await tab.card("Think for long").getByText("Interrupted.").waitFor();
    expect(long.history).toEqual([...BEGUN, "waiting_for_input idle"]);

    board.script("Answer plainly", []);
    await plain.prompt("/clear");
    await plain.is("idle");
    await tab.expectState("Answer plainly", "Idle");
    expect(plain.history).toEqual([...BEGUN, "waiting_for_input finished", "waiting_for_input idle"]);
  },
);

test.if(DEPTH.everyClaudeStateInPage)(
  "a rate limit, a refused login, a crash and a conversation that goes on",
  async () => {
    await using scene = await ClaudeScene.open(browser);
    const { tab, board } = scene;
    const limited = await scene.run("Reach the limit", [
      { status: 429, error: "rate_limit_error", message: "This request would exceed your rate limit." },
    ]);
    await limited.is("limited");
    await tab.expectState("Reach the limit", "Rate-limited");
    expect(limited.history).toEqual([...BEGUN, "waiting_for_input limited"]);

    const refused = await scene.run("Be refused", [
      { status: 401, error: "authentication_error", message: "invalid x-api-key" },
    ]);
    await refused.is("trouble");
    await tab.expectState("Be refused", "Blocked");
    await tab.card("Be refused").getByText("Claude Code is not logged in.").waitFor();
    expect(refused.history).toEqual([...BEGUN, "waiting_for_input trouble"]);

    const lost = await scene.run("Remember this", ["I remember."]);
    await lost.is("finished");
    await until(() => lost.hasWritten("Remember this", "I remember."), "the transcript");
    board.sessions.killHost(lost.task);
    await lost.ended();
    await tab.expectState("Remember this", "Failed");
    await board.sessions.settled(lost.id);
    expect((await board.sessions.act(lost.id, "resume")).status).toBe(202);
    await lost.is("idle");
    await tab.expectState("Remember this", "Idle");
    expect(lost.history).toEqual([
      ...BEGUN,
      "waiting_for_input finished",
      "failed",
      ...BEGUN,
      "waiting_for_input idle",
    ]);

    const crashed = await scene.run("Crash", [{ begin: "I am about to\n\ncrash" }]);
    await crashed.sees(/I am about to/);
    const [agent] = board.sessions.agentsOf(crashed.id);
    if (agent === undefined) throw new Error("the agent does not run");
    process.kill(agent.pid, "SIGKILL");
    await crashed.ended();
    await tab.expectState("Crash", "Failed");
    await tab.card("Crash").getByText("The agent was ended by SIGKILL.").waitFor();
    expect(crashed.history).toEqual([...BEGUN, "failed"]);
  },
);

test("a server that is killed while they work: what was asked is asked, what was lost is resumed", async () => {
  await using scene = await ClaudeScene.open(browser, { isProcess: true });
  const { tab, board, visitor } = scene;
  visitor.expectConsole(/ERR_|WebSocket|50[0-9]/);
  const asking = await scene.run("Ask across it", [
    { tool: "Bash", input: { command: "touch across", description: "Makes it" } },
    "Done across.",
  ]);
  const { asks } = await asking.is("permission");
  const lost = await scene.run("Remember it", ["I remember."]);
  await lost.is("finished");
  await until(() => lost.hasWritten("Remember it", "I remember."), "the transcript");
  await tab.expectState("Ask across it", "Needs permission");
  await tab.expectState("Remember it", "Turn finished");

  await board.server.kill("SIGKILL");
  board.sessions.killHost(lost.task);
  await tab.expectConnection("Reconnecting…");
  await board.server.restart();
  await tab.expectConnection("Live");
  const [asked, resumed] = [await scene.follow(asking.id), await scene.follow(lost.id)];

  await tab.expectState("Ask across it", "Needs permission");
  expect((await board.sessions.task(asking.id)).asks).toEqual(asks);
  await scene.seen();
  await tab.card("Ask across it").focus();
  await tab.press("a");
  await asked.is("finished");
  await tab.card("Ask across it").getByText("Done across.").waitFor();
  await tab.expectState("Ask across it", "Turn finished");
  expect(asked.history).toEqual(["running working", "waiting_for_input finished"]);

  await tab.expectState("Remember it", "Failed");
  await tab.card("Remember it").click({ position: { x: 40, y: 12 } });
  await tab.panel().getByRole("button", { name: "Resume" }).click();
  await resumed.is("idle");
  await tab.expectState("Remember it", "Idle");
  board.script("Remember it", ["I still do."]);
  await resumed.prompt("Do you?");
  await resumed.is("finished");
  await tab.card("Remember it").getByText("I still do.").waitFor();
  expect(JSON.stringify(board.asked.get("Remember it"))).toContain("I remember.");
  expect(resumed.history).toEqual([
    ...BEGUN,
    "waiting_for_input idle",
    "running working",
    "waiting_for_input finished",
  ]);
});
