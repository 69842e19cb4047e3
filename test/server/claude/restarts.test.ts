// The real Claude Code while banto comes and goes.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../host/support/host.ts";
import { BEGUN, ClaudeBoard } from "../../support/claude-board.ts";

setDefaultTimeout(120_000);

let board: ClaudeBoard;
beforeAll(async () => {
  board = await ClaudeBoard.start();
});
afterAll(() => board[Symbol.asyncDispose]());

const bash = (command: string) => ({ tool: "Bash", input: { command, description: "Do it" } });

test("what is asked is still asked after a restart, and can be answered then", async () => {
  await using run = await board.run("Ask across a restart", [bash("touch across"), "Done across."]);
  const { asks, activity } = await run.is("permission");
  await board.server.restart();
  const task = await board.sessions.task(run.id);
  expect({ asks: task.asks, activity: task.activity }).toEqual({ asks, activity });
  await using after = await board.follow(run.id);
  expect((await after.answer({ ask: asks?.id, decision: "allow" })).status).toBe(204);
  await after.is("finished");
  expect(after.history).toEqual(["running working", "waiting_for_input finished"]);
});

test("without the server the agent goes on undisturbed, and a new one knows everything at once", async () => {
  await using run = await board.run("Work alone", [
    bash("until [ -e go ]; do sleep 0.05; done"),
    { tool: "Read", input: { file_path: "README.md" } },
    bash("echo alone"),
    "I did it alone.",
  ]);
  await run.sees(/Running…/);
  const { worktreePath } = run.task;
  await board.server.kill("SIGKILL");
  writeFileSync(join(worktreePath ?? "", "go"), "");
  await until(() => board.isOver("Work alone"), "the end of the script", 60_000);
  await board.server.restart();
  await using after = await board.follow(run.id);
  await board.sessions.until(run.id, ({ lastReply }) => lastReply === "I did it alone.");
  const task = await board.sessions.task(run.id);
  expect(task).toMatchObject({ sessionStatus: "waiting_for_input", activity: { kind: "finished" } });
  await after.sees(/I did it alone\./);
  const screen = await after.screen();
  expect(screen).not.toMatch(/hook error|error.*hook|hook.*(failed|timed out)/i);
});

test("an idle one is idle after a restart, without a moment of anything else", async () => {
  await using run = await board.run("Be interrupted for long", [{ begin: "Thinking\n\nstill" }]);
  await run.sees(/Thinking/);
  await run.keys("\x1b");
  const { activity } = await run.is("idle");
  await board.server.restart();
  expect((await board.sessions.task(run.id)).activity).toEqual(activity);
});

test("a conversation is resumed after its host died, with what was said before", async () => {
  await using run = await board.run("Remember this", ["I remember."]);
  await run.is("finished");
  await until(() => run.hasWritten("Remember this", "I remember."), "the transcript");
  board.sessions.killHost(run.task);
  const lost = await run.ended();
  expect(lost).toMatchObject({ sessionStatus: "failed", activity: null, lastReply: "I remember." });
  expect((await board.sessions.act(run.id, "resume")).status).toBe(202);
  await run.is("idle");
  board.script("Remember this", ["I still do."]);
  await run.prompt("Do you?");
  const task = await run.is("finished");
  expect(task.lastReply).toBe("I still do.");
  expect(JSON.stringify(board.asked.get("Remember this"))).toContain("I remember.");
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
  await using run = await board.run("Lose this", ["Said once."]);
  await run.is("finished");
  expect((await board.sessions.act(run.id, "stop")).status).toBe(202);
  const { agentSessionId: lost } = await run.ended();
  // As one leaves it that is killed in its first moments: its id is taken all the same.
  for (const file of run.transcripts()) writeFileSync(file, '{"type":"mode","mode":"normal"}\n');
  board.script("Lose this", [{ begin: "Beginning anew\n\nnow" }]);
  expect((await board.sessions.act(run.id, "resume")).status).toBe(202);
  const task = await run.until(
    ({ activity }) => activity?.reason != null && activity.kind === "working",
    "the note",
  );
  expect(task.activity?.reason).toContain("has no record of the earlier conversation");
  await run.terminal.sees("banto: Claude Code has no record of the earlier conversation");
  await run.sees(/Beginning anew/);
  expect(JSON.stringify(board.asked.get("Lose this"))).toContain("its conversation is lost");
  // Known from its start, also where no hook would tell.
  const launched = run.rows.findLast(({ sessionStatus }) => sessionStatus === "provisioning");
  expect(launched?.agentSessionId).not.toBe(lost);
  expect(run.task.agentSessionId).toBe(launched?.agentSessionId ?? "");
});
