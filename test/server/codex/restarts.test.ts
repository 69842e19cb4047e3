// The real Codex while banto comes and goes, at its first start, and from one session to the next.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { until } from "../../host/support/host.ts";
import { BEGUN } from "../../support/claude-board.ts";
import { CodexBoard, type CodexRun } from "../../support/codex-board.ts";
import { results, said, shell } from "../../support/responses-api.ts";

setDefaultTimeout(90_000);

let board: CodexBoard;
beforeAll(async () => {
  board = await CodexBoard.start();
});
afterAll(() => board[Symbol.asyncDispose]());

const LASTING = "Go on across restarts";
let run: CodexRun;

/** The card as a server that has just started tells it. */
async function afterRestart(signal: "SIGTERM" | "SIGKILL", meanwhile = async () => {}) {
  await board.server.kill(signal);
  await meanwhile();
  await board.server.restart();
  run = await board.follow(run.id);
  return board.sessions.task(run.id);
}

test("what is asked is still asked after a restart, and can be answered then", async () => {
  run = await board.run(LASTING, [shell("touch across"), "Done across."]);
  const { asks, activity } = await run.is("permission");
  const task = await afterRestart("SIGKILL");
  expect({ asks: task.asks, activity: task.activity }).toEqual({ asks, activity });
  expect((await run.answer({ ask: asks?.id, decision: "allow" })).status).toBe(204);
  await run.is("finished");
  expect(run.history).toEqual(["running working", "waiting_for_input finished"]);
  expect(run.task.lastReply).toBe("Done across.");
});

test("without the server the agent goes on undisturbed, and a new one knows everything at once", async () => {
  board.script(LASTING, [shell("until [ -e go ]; do sleep 0.05; done", false), "I did it alone."]);
  await run.prompt("Work alone");
  await until(() => board.left(LASTING) === 1, "the command");
  const { worktreePath } = run.task;
  await afterRestart("SIGTERM", async () => {
    writeFileSync(join(worktreePath ?? "", "go"), "");
    await until(() => board.left(LASTING) === 0, "the end of the script", 60_000);
  });
  const task = await board.sessions.until(run.id, ({ lastReply }) => lastReply === "I did it alone.");
  expect(task).toMatchObject({ sessionStatus: "waiting_for_input", activity: { kind: "finished" } });
});

test("what a subagent asks is still asked after a restart, in its name", async () => {
  const collaborate = (tool: string, input: object) => ({ tool, input, namespace: "collaboration" });
  board.script("A part of it", [shell("touch by-a-subagent"), "The part is done."]);
  board.script(LASTING, [
    collaborate("spawn_agent", { task_name: "part", message: "Do A part of it", fork_turns: "none" }),
    collaborate("wait_agent", {}),
    "All is done.",
  ]);
  await run.prompt("Share it out");
  const { asks, activity } = await run.is("permission");
  expect(asks?.summary).toMatch(/: touch by-a-subagent$/);
  const task = await afterRestart("SIGTERM");
  expect({ asks: task.asks, activity: task.activity }).toEqual({ asks, activity });
  expect((await run.answer({ ask: asks?.id, decision: "allow" })).status).toBe(204);
  await run.until(({ lastReply }) => lastReply === "All is done.", "the end");
  expect(existsSync(join(run.task.worktreePath ?? "", "by-a-subagent"))).toBe(true);
});

test("a command in the background is known after a restart, and so is that it has ended", async () => {
  const waits = "until [ -e end ]; do sleep 0.05; done";
  board.script(LASTING, [{ tool: "exec_command", input: { cmd: waits, yield_time_ms: 250 } }, "It runs."]);
  await run.prompt("Start it");
  const { activity, worktreePath } = await run.is("background");
  expect((await afterRestart("SIGTERM")).activity).toEqual(activity);
  await run.is("background");
  writeFileSync(join(worktreePath ?? "", "end"), "");
  await run.is("finished");
});

test("Stop in the middle of a command leaves no process", async () => {
  board.script(LASTING, [shell("sleep 1000", false)]);
  await run.prompt("Sleep");
  await until(() => board.left(LASTING) === 0, "the command");
  expect((await board.sessions.act(run.id, "stop")).status).toBe(202);
  await run.ended();
  expect(board.sessions.processesOf(run.id)).toEqual([]);
});

test("the conversation is resumed, with what was said before", async () => {
  const before = run.task.agentSessionId;
  expect((await board.sessions.act(run.id, "resume")).status).toBe(202);
  await run.until(({ sessionStatus }) => sessionStatus === "waiting_for_input", "its input box");
  board.script(LASTING, ["I still know."]);
  await run.prompt("Do you?");
  await run.until(({ lastReply }) => lastReply === "I still know.", "the reply");
  const request = board.asked.get(LASTING);
  expect(request && said(request)).toContain("Do you?");
  expect(request && results(request).join()).toContain("exited with code 0");
  expect(run.task.agentSessionId).toBe(before);
});

test("a conversation that is lost is begun anew, and that is said", async () => {
  expect((await board.sessions.act(run.id, "stop")).status).toBe(202);
  const { agentSessionId: lost } = await run.ended();
  for (const name of board.conversations()) rmSync(join(board.home, "sessions", name));
  board.script(LASTING, [{ begin: "Beginning anew" }]);
  expect((await board.sessions.act(run.id, "resume")).status).toBe(202);
  const noted = await run.until(({ activity }) => activity?.reason != null, "the note");
  expect(noted.activity).toMatchObject({ kind: "working" });
  expect(noted.activity?.reason).toContain("has no record of the earlier conversation");
  await run.sees(/Beginning anew/);
  await run.until(({ agentSessionId }) => agentSessionId !== lost, "the new conversation");
  expect(JSON.stringify(board.asked.get(LASTING))).toContain("its conversation is lost");
});

test("when what holds them together is killed in the middle of a turn, all the rest ends too", async () => {
  const [leader] = board.sessions.agentsOf(run.id);
  expect(leader?.command).toContain("app-server");
  process.kill(leader?.pid ?? 0, "SIGKILL");
  await run.ended();
  await until(() => board.sessions.processesOf(run.id).length === 0, "the end of the server");
  await run[Symbol.asyncDispose]();
});

test("a mistake in Codex's configuration ends the session with Codex's own words", async () => {
  writeFileSync(join(board.home, "config.toml"), 'model = "unfinished\n');
  await using stranger = await board.run("Never begun", []);
  const { sessionError } = await stranger.ended();
  expect(sessionError).toContain("config.toml:1:20");
});

test("an app-server that doesn't start ends the session, and its last words are there", async () => {
  board.configure();
  board.replace('case "$*" in "app-server --listen"*) echo "no room here" >&2; exit 3 ;; esac');
  await using stranger = await board.run("Never begun either", []);
  const { sessionError } = await stranger.ended();
  expect(sessionError).toContain("Codex's app-server did not start:\nno room here");
  board.replace("");
});

test("nobody is logged in: its card says so, and so does the list of agents", async () => {
  board.configure({ hasModel: false });
  await using stranger = await board.run("Log in", []);
  const { activity } = await stranger.is("trouble");
  expect(activity?.reason).toMatch(/^Codex is not logged in\. Open its terminal/);
  expect(stranger.history).toEqual([...BEGUN, "waiting_for_input trouble"]);
  const { body } = await board.server.get<{ agents: Record<string, unknown>[] }>("/api/agents");
  expect(body.agents.find(({ name }) => name === "codex")).toMatchObject({
    ...{ available: true, version: "0.169.0", tooOld: false, loggedIn: false },
    notice: expect.stringMatching(/^Codex is not logged in\. Run: codex login/),
  });
  // Its server, too, may crash.
  const server = board.sessions
    .processesOf(stranger.id)
    .find(({ command }) => /codex app-server/.test(command));
  process.kill(server?.pid ?? 0, "SIGKILL");
  const lost = ({ activity }: TaskRow) => activity?.reason?.startsWith("Codex lost its app-server") === true;
  await stranger.until(lost, "what to do");
});

test("an old version without a server of its own, in a repository that nobody trusts yet", async () => {
  board.configure({ trusted: false });
  board.replace('case "$*" in *--help*) exit 0 ;; esac');
  await using stranger = await board.run("Trust me", ["Trusted."]);
  const { activity } = await stranger.is("question");
  expect(activity?.reason).toMatch(/^Codex asks whether it may trust this repository\./);
  expect(activity?.less).toMatch(/^This version of Codex can't be followed closely/);
  expect((await stranger.send("Too early")).status).toBe(409);
  await stranger.keys("\r");
  await stranger.is("finished");
  board.script("Trust me", ["Typed in."]);
  await stranger.prompt("Typed");
  await stranger.sees(/Typed in\./);
  await stranger.is("finished");
  const codex = board.sessions
    .processesOf(stranger.id)
    .filter(({ command }) => command.includes("app-server"));
  expect(codex).toEqual([]);
});
