// The real OpenCode while banto comes and goes: it lives through restarts of the server, crashes, and is resumed.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../host/support/host.ts";
import { OPENCODE } from "../../support/opencode.ts";
import { ScriptedBoard } from "../../support/scripted-board.ts";
import type { TaskRun } from "../../support/task-run.ts";

setDefaultTimeout(240_000);

const TITLE = "Go on across restarts";
let board: ScriptedBoard;
let run: TaskRun;
beforeAll(async () => {
  board = await ScriptedBoard.start(OPENCODE);
});
afterAll(async () => {
  await run[Symbol.asyncDispose]();
  await board[Symbol.asyncDispose]();
});

const bash = (command: string) => ({ tool: "bash", input: { command, description: "Do it" } });

async function restart(meanwhile = async () => {}) {
  await board.server.kill("SIGKILL");
  await meanwhile();
  await board.server.restart();
  run = await board.follow(run.id);
  return board.sessions.task(run.id);
}

test("what is asked is still asked after a restart, and can be answered then", async () => {
  run = await board.run(TITLE, [bash("until [ -e go ]; do sleep 0.05; done"), "I did it alone."]);
  await board.hasStarted(TITLE);
  const { asks, activity } = await run.is("permission");
  const task = await restart();
  expect({ asks: task.asks, activity: task.activity }).toEqual({ asks, activity });
  expect((await run.answer({ ask: asks?.id, decision: "allow" })).status).toBe(204);
  await run.is("working");
});

test("without the server it goes on undisturbed, and a new one knows everything at once", async () => {
  const { worktreePath } = run.task;
  await restart(async () => {
    writeFileSync(join(worktreePath ?? "", "go"), "");
    await until(() => board.isOver(TITLE), "the end of the script", 60_000);
  });
  await run.is("finished");
  expect(run.task.lastReply).toBe("I did it alone.");
});

test("killed outright it has failed, and resumes the same conversation", async () => {
  const { agentSessionId } = run.task;
  for (const { pid } of board.sessions.agentsOf(run.id)) process.kill(pid, "SIGKILL");
  expect((await run.ended()).sessionStatus).toBe("failed");
  await board.sessions.settled(run.id);
  expect((await board.sessions.act(run.id, "resume")).status).toBe(202);
  await run.is("idle");
  board.script(TITLE, ["I remember."]);
  await run.prompt("Do you remember?");
  await run.is("finished");
  expect(run.task).toMatchObject({ agentSessionId, lastReply: "I remember." });
  expect(board.asked.get(TITLE)).toContain("I did it alone.");
});

test("without its record of the conversation it begins a new one, and says so", async () => {
  const { agentSessionId } = run.task;
  expect((await board.sessions.act(run.id, "stop")).status).toBe(202);
  await run.ended();
  await board.sessions.settled(run.id);
  rmSync(join(board.server.home, ".local", "share", "opencode"), { recursive: true });
  board.script(TITLE, [{ begin: "I begin anew" }]);
  expect((await board.sessions.act(run.id, "resume")).status).toBe(202);
  await run.sees(/I begin anew/);
  expect(run.task.activity?.reason).toContain("no record of the earlier conversation");
  expect(run.task.agentSessionId).toMatch(/^ses_/);
  expect(run.task.agentSessionId).not.toBe(agentSessionId);
});
