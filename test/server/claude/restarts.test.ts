// The real Claude Code while banto comes and goes: a conversation that lives through restarts of the server, and one that
// is resumed.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLAUDE_VERSIONS } from "../../host/support/claude.ts";
import { until } from "../../host/support/host.ts";
import { BEGUN, ClaudeBoard, type ClaudeRun } from "../../support/claude-board.ts";
import { TestViewer } from "../../support/viewer.ts";

setDefaultTimeout(120_000);

describe.each(CLAUDE_VERSIONS)("Claude Code %s", (version) => {
  let board: ClaudeBoard;
  beforeAll(async () => {
    board = await ClaudeBoard.start({}, { version });
  });
  afterAll(() => board[Symbol.asyncDispose]());

  /** The title of the task whose Claude lives through everything, and what was last heard of it. */
  const LASTING = "Go on across restarts";
  let run: ClaudeRun;
  /** The card as a server that has just started tells it. */
  async function afterRestart(signal: "SIGTERM" | "SIGKILL", meanwhile = async () => {}) {
    await board.server.kill(signal);
    await meanwhile();
    await board.server.restart();
    const { id } = run;
    run = await board.follow(id);
    return board.sessions.task(id);
  }

  const bash = (command: string) => ({ tool: "Bash", input: { command, description: "Do it" } });

  test("what is asked is still asked after a restart, and can be answered then", async () => {
    run = await board.run(LASTING, [bash("touch across"), "Done across."]);
    const { asks, activity } = await run.is("permission");
    const task = await afterRestart("SIGTERM");
    expect({ asks: task.asks, activity: task.activity }).toEqual({ asks, activity });
    expect((await run.answer({ ask: asks?.id, decision: "allow" })).status).toBe(204);
    await run.is("finished");
    expect(run.history).toEqual(["running working", "waiting_for_input finished"]);
  });

  test("without the server the agent goes on undisturbed, and a new one knows everything at once", async () => {
    board.script(LASTING, [
      bash("until [ -e go ]; do sleep 0.05; done"),
      { tool: "Read", input: { file_path: "README.md" } },
      bash("echo alone"),
      "I did it alone.",
    ]);
    await run.prompt("Work alone");
    await run.sees(/Running…/);
    const { worktreePath } = run.task;
    await afterRestart("SIGKILL", async () => {
      writeFileSync(join(worktreePath ?? "", "go"), "");
      await until(() => board.isOver(LASTING), "the end of the script", 60_000);
    });
    await board.sessions.until(run.id, ({ lastReply }) => lastReply === "I did it alone.");
    const task = await board.sessions.task(run.id);
    expect(task).toMatchObject({ sessionStatus: "waiting_for_input", activity: { kind: "finished" } });
    await run.sees(/I did it alone\./);
    const screen = await run.screen();
    expect(screen).not.toMatch(/hook error|error.*hook|hook.*(failed|timed out)/i);
  });

  test("an idle one is idle after a restart, without a moment of anything else", async () => {
    board.script(LASTING, [{ begin: "I muse\n\nstill" }]);
    await run.prompt("Be interrupted for long");
    await run.sees(/I muse/);
    await run.keys("\x1b");
    const { activity } = await run.is("idle");
    expect((await afterRestart("SIGTERM")).activity).toEqual(activity);
    await run[Symbol.asyncDispose]();
  });

  const RESUMED = "Remember this";

  test("a conversation is resumed after its host died, with what was said before", async () => {
    run = await board.run(RESUMED, ["I remember."]);
    await run.is("finished");
    await until(() => run.hasWritten(RESUMED, "I remember."), "the transcript");
    board.sessions.killHost(run.task);
    const lost = await run.ended();
    expect(lost).toMatchObject({ sessionStatus: "failed", activity: null, lastReply: "I remember." });
    expect((await board.sessions.act(run.id, "resume")).status).toBe(202);
    await run.is("idle");
    board.script(RESUMED, ["I still do."]);
    await run.prompt("Do you?");
    const task = await run.is("finished");
    expect(task.lastReply).toBe("I still do.");
    expect(JSON.stringify(board.asked.get(RESUMED))).toContain("I remember.");
    expect(run.history).toEqual([
      ...BEGUN,
      "waiting_for_input finished",
      "failed",
      ...(["pending", "provisioning", "running working"] as const),
      "waiting_for_input idle",
      "running working",
      "waiting_for_input finished",
    ]);
  });

  test("a conversation that ended before anything was said is begun anew, and that is said", async () => {
    expect((await board.sessions.act(run.id, "stop")).status).toBe(202);
    const { agentSessionId: lost } = await run.ended();
    const before = run.rows.length;
    // As one leaves it that is killed in its first moments: its id is taken all the same.
    for (const file of run.transcripts()) writeFileSync(file, '{"type":"mode","mode":"normal"}\n');
    board.script(RESUMED, [{ begin: "Beginning anew\n\nnow" }]);
    expect((await board.sessions.act(run.id, "resume")).status).toBe(202);
    const task = await run.until(
      ({ activity }) => activity?.reason != null && activity.kind === "working",
      "the note",
    );
    expect(task.activity?.reason).toContain("has no record of the earlier conversation");
    const terminal = TestViewer.open(board.server, run.id);
    await terminal.sees("banto: Claude Code has no record of the earlier conversation");
    await run.sees(/Beginning anew/);
    expect(JSON.stringify(board.asked.get(RESUMED))).toContain("its conversation is lost");
    // Known from its start, also where no hook would tell.
    terminal[Symbol.dispose]();
    const launched = run.rows.slice(before).findLast(({ sessionStatus }) => sessionStatus === "provisioning");
    expect(launched?.agentSessionId).not.toBe(lost);
    expect(run.task.agentSessionId).toBe(launched?.agentSessionId ?? "");
    await run[Symbol.asyncDispose]();
  });
});
