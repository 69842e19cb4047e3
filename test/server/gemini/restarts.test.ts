// The real Gemini CLI while banto comes and goes, in a repository that nobody has trusted yet.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { GEMINI } from "../../support/gemini.ts";
import { ScriptedBoard } from "../../support/scripted-board.ts";
import type { TaskRun } from "../../support/task-run.ts";

setDefaultTimeout(120_000);

const TITLE = "Go on across restarts";
let board: ScriptedBoard;
let run: TaskRun;
beforeAll(async () => {
  board = await ScriptedBoard.start(GEMINI);
  rmSync(join(board.server.home, ".gemini", "trustedFolders.json"));
});
afterAll(async () => {
  await run[Symbol.asyncDispose]();
  await board[Symbol.asyncDispose]();
});

/** As soon as it takes one. On a very busy machine it may take the Enter for a part of what was pasted. */
async function prompt(text: string) {
  const path = `/api/tasks/${run.id}/terminal/input`;
  while ((await board.server.post(path, { text, submit: true, prompt: true })).status !== 204)
    await Bun.sleep(50);
  const box = new RegExp(`^ > ${RegExp.escape(text)}[^✦]*workspace`, "m");
  while (box.test(await run.screen())) {
    await Bun.sleep(1_000);
    if (box.test(await run.screen())) await run.keys("\r");
  }
}

test("it asks for the folder's trust in its terminal, and goes on with its conversation when it has it", async () => {
  run = await board.run(TITLE, ["The first reply."]);
  const { activity } = await run.is("question");
  expect(activity?.reason).toContain("trust this folder");
  await run.sees(/The first reply/);
  await run.sees(/1\. Trust folder/);
  const { agentSessionId } = run.task;
  await run.keys("1");
  await run.is("working");
  await run.is("finished");
  expect(run.task).toMatchObject({ agentSessionId, lastReply: "The first reply." });
});

test("what is asked is still asked after a restart of the server, and can be answered then", async () => {
  board.script(TITLE, [{ tool: "run_shell_command", input: { command: "echo two > two" } }, "The second."]);
  await prompt("Write two");
  const { asks } = await run.is("permission");
  await board.server.kill("SIGKILL");
  await board.server.restart();
  run = await board.follow(run.id);
  await board.sessions.until(run.id, (task) => task.asks !== null && task.asks.id !== asks?.id);
  const task = await board.sessions.task(run.id);
  expect({ ...task.asks, id: "" }).toEqual({ ...asks, id: "" } as never);
  expect((await run.answer({ ask: task.asks?.id, decision: "allow" })).status).toBe(204);
  await run.is("finished");
  expect(run.task.lastReply).toBe("The second.");
});

test("killed outright it has failed, and resumes the same conversation", async () => {
  const { agentSessionId } = run.task;
  for (const { pid } of board.sessions.agentsOf(run.id)) process.kill(pid, "SIGKILL");
  expect((await run.ended()).sessionStatus).toBe("failed");
  await board.sessions.settled(run.id);
  expect((await board.sessions.act(run.id, "resume")).status).toBe(202);
  await run.is("finished");
  board.script(TITLE, ["I remember."]);
  await prompt("Do you remember?");
  await run.until(({ lastReply }) => lastReply === "I remember.", "the reply");
  expect(run.task.agentSessionId).toBe(agentSessionId);
  expect(board.asked.get(TITLE)).toContain("The first reply.");
});

test("without its record of the conversation it begins a new one, and says so", async () => {
  const { agentSessionId } = run.task;
  expect((await board.sessions.act(run.id, "stop")).status).toBe(202);
  await run.ended();
  await board.sessions.settled(run.id);
  expect(board.sessions.processesOf(run.id)).toEqual([]);
  rmSync(join(board.server.home, ".gemini", "tmp"), { recursive: true });
  board.script(TITLE, [{ begin: "I begin anew" }]);
  expect((await board.sessions.act(run.id, "resume")).status).toBe(202);
  await run.sees(/esc to cancel/);
  expect(run.task.activity?.reason).toContain("no record of the earlier conversation");
  expect(run.task.agentSessionId).not.toBe(agentSessionId);
});
