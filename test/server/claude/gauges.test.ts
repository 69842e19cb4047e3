// Figures, options and what is said of the installed Claude Code.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import type { Gauges } from "../../../src/contract.ts";
import type { ListedAgent } from "../../../src/server/agents/agents.ts";
import type { SessionRow } from "../../../src/server/sessions/viewers/session-list.ts";
import type { UsageReport } from "../../../src/server/tasks/usage.ts";
import { CLAUDE_VERSIONS, claudeSettings } from "../../host/support/claude.ts";
import { until } from "../../host/support/host.ts";
import { ClaudeBoard } from "../../support/claude-board.ts";

setDefaultTimeout(90_000);

describe.each(CLAUDE_VERSIONS)("Claude Code %s", (version) => {
  let board: ClaudeBoard;
  beforeAll(async () => {
    board = await ClaudeBoard.start({}, { version, isHere: true });
  });
  afterAll(() => board[Symbol.asyncDispose]());

  const isWhole = (gauges: Gauges | undefined) =>
    (gauges?.costUsd ?? 0) > 0 && gauges?.contextPercent != null;

  test("figures are told while it runs and kept when it ends; the person's own status line stays", async () => {
    const command = "cat >/dev/null; echo my own status";
    claudeSettings(board.server.home, { statusLine: { type: "command", command } });
    using events = await board.server.events();
    await using run = await board.run("Cost something", ["That was dear."]);
    const told = await events.until(
      ({ type, data }) => type === "session" && isWhole(data.gauges as Gauges | undefined),
    );
    const gauges = told.at(-1)?.data.gauges as Gauges;
    expect(gauges).toMatchObject({
      model: expect.stringMatching(/\w/),
      version: version,
      costUsd: expect.any(Number),
      contextPercent: expect.any(Number),
    });
    await run.is("finished");
    await run.sees(/my own status/);
    const sessions = (await board.server.get<SessionRow[]>("/api/sessions")).body;
    expect(sessions.find(({ taskId }) => taskId === run.id)?.gauges?.costUsd).toBeGreaterThan(0);
    const usage = async () => (await board.server.get<UsageReport>("/api/usage?days=2")).body;
    expect((await usage()).tasks).toMatchObject([{ taskId: run.id, sessions: 1 }]);

    // A restarted server has them at once.
    await board.server.restart();
    const after = (await board.server.get<SessionRow[]>("/api/sessions")).body;
    expect(after.find(({ taskId }) => taskId === run.id)?.gauges?.costUsd).toBeGreaterThan(0);
    expect((await board.sessions.act(run.id, "stop")).status).toBe(202);
    await board.sessions.ended(run.id);
    const [log] = await board.sessions.logs(run.id);
    expect(log).toMatchObject({ lastReply: "That was dear.", model: gauges.model });
    expect(log?.costUsd).toBeGreaterThan(0);
    expect((await usage()).totalUsd).toBeCloseTo(log?.costUsd ?? 0);
  });

  test("options of project and task are what it is started with, and its secret is nobody else's", async () => {
    await board.server.patch(`/api/projects/${board.sessions.board.project.id}`, {
      agentOptions: { model: "opus", permissionMode: "plan" },
    });
    const agentOptions = { model: "haiku", extraArgs: ["--effort", "low"] };
    await using run = await board.run("Be configured", ["I am."], { agentOptions });
    const { sessionId } = await run.is("finished");
    const [agent] = board.sessions.agentsOf(run.id);
    expect(agent?.command).toContain(" --model haiku --permission-mode plan --effort low -- Be configured");
    expect(agent?.command).toContain(
      ` --settings ${board.server.dataDir}/run/${sessionId}.signals/settings.json `,
    );
    expect(statSync(board.server.inData(`run/${sessionId}.signals/settings.json`)).mode & 0o777).toBe(0o600);
    await board.sessions.act(run.id, "stop");
    await run.ended();
    await until(
      () => !statSync(board.server.inData(`run/${sessionId}.signals`), { throwIfNoEntry: false }),
      "its folder to go",
    );
  });

  test("the list of agents tells its version and whether it is logged in", async () => {
    const claude = async () =>
      (await board.server.get<{ agents: ListedAgent[] }>("/api/agents")).body.agents.find(
        ({ name }) => name === "claude",
      );
    // A slow machine may not know it yet the first time.
    let told = await claude();
    for (; told?.version == null || told.loggedIn === null; told = await claude()) await Bun.sleep(100);
    expect(told).toMatchObject({ version: version, tooOld: false, loggedIn: true, notice: null });
  });
});
