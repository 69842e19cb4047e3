import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readProcess } from "../../../src/host/processes/processes.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure } from "../../support/board.ts";
import { writeTask } from "../../support/database.ts";
import { gitIn, TestRepository } from "../../support/repository.ts";
import { LASTING, SessionBoard } from "../../support/sessions.ts";
import { tempDir } from "../../support/temp.ts";
import { TestViewer } from "../../support/viewer.ts";

setDefaultTimeout(30_000);

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.startHere({ CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli", FAVOURITE: "tea" });
});
afterAll(() => board[Symbol.asyncDispose]());

describe("starting", () => {
  test("answers at once, makes a worktree on a branch of its own, and runs the agent there", async () => {
    const { id } = await board.addTask('pwd > where; echo "hello"; exec sleep 1000', {
      title: ": Fix the Login!",
    });
    const answer = await board.act(id, "start");
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      sessionStatus: "pending",
      sessionOperation: "start",
      sessionError: null,
    });
    const task = await board.until(id, ({ sessionStatus }) => sessionStatus === "running");
    expect(task.branch).toBe(`banto/${id.slice(0, 8)}-fix-the-login`);
    expect(task.worktreePath).toBe(join(board.server.dataDir, "worktrees", id));
    expect(await gitIn(task.worktreePath ?? "", "branch", "--show-current")).toBe(task.branch ?? "");
    expect(readFileSync(join(task.worktreePath ?? "", "where"), "utf8").trim()).toBe(task.worktreePath ?? "");
    expect(await gitIn(board.board.repository.path, "status", "--porcelain")).toBe("");
  });

  test("a program that prints nothing is running once its host runs it, also for a server that comes later", async () => {
    await using own = await SessionBoard.start();
    const { id } = await own.addTask("exec sleep 1000");
    await own.act(id, "start");
    const task = await own.settled(id);
    expect(task).toMatchObject({ sessionStatus: "running", activity: { kind: "working" } });
    expect(own.agentsOf(id).length).toBe(1);
    writeTask(own.server, id, { sessionStatus: "provisioning", activity: null });
    await own.server.restart();
    await own.until(id, ({ sessionStatus }) => sessionStatus === "running");
  });

  test("says since when the session stands as it does, whatever else is changed", async () => {
    const task = await board.running("echo on; while [ ! -e go ]; do sleep 0.02; done; exit 0");
    const { id, sessionChangedAt: running } = task;
    expect(running).not.toBeNull();
    const edited = await board.server.patch<TaskRow>(`/api/tasks/${id}`, { title: ": another" });
    expect(edited.body.sessionChangedAt).toBe(running);
    expect(edited.body.updatedAt > (running ?? "")).toBe(true);
    writeFileSync(join(task.worktreePath ?? "", "go"), "");
    const { sessionChangedAt: ended } = await board.ended(id);
    expect((ended ?? "") > (running ?? "")).toBe(true);
    await board.server.patch(`/api/tasks/${id}`, { description: "more" });
    expect((await board.task(id)).sessionChangedAt).toBe(ended);
  });

  test("gives the agent the person's environment, and nothing of banto's or of an outer Claude's", async () => {
    const task = await board.running("env -0 > environment; echo done; exec sleep 1000");
    const text = readFileSync(join(task.worktreePath ?? "", "environment"), "utf8");
    const env = Object.fromEntries(text.split("\0").map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(env).toMatchObject({
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      FAVOURITE: "tea",
      BANTO_TASK_ID: task.id,
      BANTO_SESSION_ID: task.sessionId,
    });
    expect(`${env.LC_ALL ?? ""}${env.LC_CTYPE ?? ""}${env.LANG ?? ""}`).toMatch(/utf-?8/i);
    const ours = Object.keys(env).filter(
      (name) => /^(CLAUDE|BUN_|PTY_)/.test(name) || /^BANTO_(?!TASK|SESSION)/.test(name),
    );
    expect(ours).toEqual([]);
    expect(text).not.toContain(board.server.token);
  });

  test("hands the prompt over as it is", async () => {
    const odd = `"quotes" 'and' $(nothing) \`runs\` \\ --help ; # "`;
    const task = await board.running(
      `cat > /dev/null <<'EOF'\n${odd}\nEOF\nprintf '%s' "$1" > got; echo; exec sleep 1000`,
    );
    expect(readFileSync(join(task.worktreePath ?? "", "got"), "utf8")).toBe(
      `${task.title}\n\n${task.description}`,
    );
  });

  test("is refused in the backlog, with a session there, and for a task that is not", async () => {
    const { id } = await board.addTask(LASTING, { status: "backlog" });
    expectFailure(await board.act(id, "start"), "invalid", /Active/);
    await board.server.patch(`/api/tasks/${id}`, { status: "active" });
    expect((await board.act(id, "start")).status).toBe(202);
    expectFailure(await board.act(id, "start"), "conflict", /already running/);
    expectFailure(await board.act("nothing", "start"), "not_found", /no task/);
  });

  test("is refused with the next step where it can't work", async () => {
    const missing = await board.addTask(LASTING, { agent: "claude" });
    expectFailure(await board.act(missing.id, "start"), "invalid", /CLAUDE_CODE_EXECUTABLE/);
    using empty = await TestRepository.empty();
    const { body } = await board.server.post<{ id: string }>("/api/projects", { path: empty.path });
    const { id } = await board.addTask(LASTING, { projectId: body.id });
    expectFailure(await board.act(id, "start"), "invalid", /git commit/);
    rmSync(empty.path, { recursive: true });
    expectFailure(await board.act(id, "start"), "invalid", empty.path);
    expect((await board.task(id)).sessionStatus).toBeNull();
  });

  test("keeps to the limit of sessions, and says so", async () => {
    await using small = await SessionBoard.start({ BANTO_MAX_SESSIONS: "1" });
    const first = await small.running();
    const { id } = await small.addTask();
    expectFailure(await small.act(id, "start"), "too_many", /BANTO_MAX_SESSIONS/);
    await small.act(first.id, "stop");
    await small.ended(first.id);
    expect((await small.act(id, "start")).status).toBe(202);
  });
});

test("a data directory whose path is too long for sockets refuses sessions only", async () => {
  using home = tempDir("deep");
  await using deep = await SessionBoard.start({ BANTO_DATA_DIR: join(home.path, "d".repeat(80)) });
  const { id } = await deep.addTask();
  expectFailure(
    await deep.act(id, "start"),
    "invalid",
    /bytes too long .* set BANTO_DATA_DIR to a shorter one/,
  );
  expect(await deep.board.repository.git("branch", "--list", "banto/*")).toBe("");
});

describe("the end of an agent", () => {
  test("with code 0 is done", async () => {
    const { id } = await board.running("echo bye; read x; exit 0");
    await board.server.post(`/api/tasks/${id}/terminal/input`, { text: "", submit: true });
    expect(await board.ended(id)).toMatchObject({ sessionStatus: "done", sessionError: null });
    expect((await board.logs(id))[0]).toMatchObject({ exitStatus: "done", exitCode: 0, error: null });
  });

  test("with another code is failed, with the code and the last lines", async () => {
    const { id } = await board.addTask("echo it broke; exit 7");
    await board.act(id, "start");
    const { sessionStatus, sessionError } = await board.ended(id);
    expect({ sessionStatus, sessionError }).toEqual({
      sessionStatus: "failed",
      sessionError: "The agent exited with code 7.\nit broke",
    });
    expect((await board.logs(id))[0]).toMatchObject({ exitStatus: "failed", exitCode: 7 });
  });

  test("by a signal names it", async () => {
    const { id } = await board.addTask("kill -9 $$");
    await board.act(id, "start");
    expect((await board.ended(id)).sessionError).toContain("SIGKILL");
  });

  test("leaves no process and no socket of its host", async () => {
    const task = await board.running();
    await board.act(task.id, "stop");
    await board.ended(task.id);
    expect(board.processesOf(task.id)).toEqual([]);
    expect(existsSync(join(board.server.dataDir, "run", `${task.sessionId}.sock`))).toBe(false);
  });
});

describe("stopping", () => {
  test("ends the agent and everything it started", async () => {
    const task = await board.running(
      "nohup sleep 1001 >/dev/null & setsid sleep 1002 & echo all three; exec sleep 1000",
    );
    using viewer = TestViewer.open(board.server, task.id);
    await viewer.sees("all three"); // nohup has something to say as well
    // One that is just becoming another program has no environment for a moment.
    while (board.processesOf(task.id).length < 3) await Bun.sleep(5);
    const answer = await board.act(task.id, "stop");
    expect(answer.status).toBe(202);
    expect(await board.ended(task.id)).toMatchObject({ sessionStatus: "failed", sessionError: "Stopped." });
    expect(board.processesOf(task.id)).toEqual([]);
    expectFailure(await board.act(task.id, "stop"), "conflict", /Nothing is running/);
  });

  test("ends them also when their host hangs, and the host with them", async () => {
    const task = await board.running("nohup setsid sleep 1001 >/dev/null 2>&1 & echo on; exec sleep 1000");
    process.kill(board.hostOf(task), "SIGSTOP");
    expect((await board.act(task.id, "stop")).status).toBe(202);
    expect(await board.ended(task.id)).toMatchObject({ sessionStatus: "failed", sessionError: "Stopped." });
    expect(board.processesOf(task.id)).toEqual([]);
    await board.hostGone(task);
  });

  test("calls off a start that is under way", async () => {
    const { id } = await board.addTask();
    await board.act(id, "start");
    expect((await board.act(id, "stop")).status).toBe(202);
    expect((await board.ended(id)).sessionStatus).toBe("failed");
    expect(board.processesOf(id)).toEqual([]);
  });
});

describe("resuming", () => {
  test("goes on in the same worktree with the same conversation", async () => {
    const first = await board.running();
    await board.act(first.id, "stop");
    await board.ended(first.id);
    writeFileSync(join(first.worktreePath ?? "", "note"), "still here");
    expect((await board.act(first.id, "resume")).status).toBe(202);
    const second = await board.until(first.id, ({ sessionStatus }) => sessionStatus === "running");
    expect(second).toMatchObject({
      worktreePath: first.worktreePath,
      branch: first.branch,
      agentSessionId: first.agentSessionId,
    });
    expect(second.sessionId).not.toBe(first.sessionId);
    expect(readFileSync(join(second.worktreePath ?? "", "note"), "utf8")).toBe("still here");
    expectFailure(await board.act(first.id, "resume"), "conflict", /already running/);
  });

  test("first ends an agent that runs on though the board says that it failed", async () => {
    const first = await board.running();
    const [lost] = board.agentsOf(first.id);
    writeTask(board.server, first.id, { sessionStatus: "failed" });
    expect((await board.act(first.id, "resume")).status).toBe(202);
    await board.until(first.id, ({ sessionStatus }) => sessionStatus === "running");
    const agents = board.agentsOf(first.id);
    expect(agents.length).toBe(1);
    expect(agents[0]?.pid).not.toBe(lost?.pid);
  });

  test("needs something to resume", async () => {
    const { id } = await board.addTask();
    expectFailure(await board.act(id, "resume"), "invalid", /Start/);
  });
});

describe("retrying", () => {
  test("puts the worktree away and starts afresh on a new branch", async () => {
    const first = await board.running();
    writeFileSync(join(first.worktreePath ?? "", "left"), "behind");
    expect((await board.act(first.id, "retry")).status).toBe(202);
    const second = await board.until(
      first.id,
      ({ sessionStatus, sessionId }) => sessionStatus === "running" && sessionId !== first.sessionId,
    );
    expect(second.worktreePath).toBe(first.worktreePath);
    expect(second.branch).toBe(`${first.branch}-2`);
    expect(existsSync(join(second.worktreePath ?? "", "left"))).toBe(false);
    expect(board.agentsOf(first.id).length).toBe(1);
    const [log] = await board.logs(first.id);
    expect(log).toMatchObject({
      exitStatus: "failed",
      error: "Stopped.",
      branch: first.branch,
      archivedFor: "retry",
      snapshotRef: `refs/banto/${first.id}/1`,
    });
    const path = await board.restore(first.id);
    expect(path).not.toBe(first.worktreePath);
    expect(readFileSync(join(path, "left"), "utf8")).toBe("behind");
    expect(await board.restore(first.id)).toBe(path);
  });
});

describe("completing", () => {
  test("ends what runs, puts the worktree away, and keeps the branch", async () => {
    const task = await board.running("git commit -q --allow-empty -m work 2>&1; echo on; exec sleep 1000");
    const { status, body } = await board.act(task.id, "complete");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "done",
      sessionStatus: null,
      worktreePath: null,
      sessionOperation: null,
    });
    expect(board.processesOf(task.id)).toEqual([]);
    expect(existsSync(task.worktreePath ?? "")).toBe(false);
    expect(await gitIn(board.board.repository.path, "branch", "--list", task.branch ?? "")).toContain(
      task.branch ?? "",
    );
    const again = await board.act(task.id, "complete");
    expect(again.status).toBe(200);
  });

  test("ends what an earlier session of the task had left running", async () => {
    const { id } = await board.addTask(
      "setsid sh -c 'touch up; sleep 1003; :' >/dev/null 2>&1 & until [ -e up ]; do sleep 0.02; done",
    );
    await board.act(id, "start");
    expect(await board.ended(id)).toMatchObject({ sessionStatus: "done" });
    expect(board.processesOf(id)).not.toEqual([]);
    await board.act(id, "resume");
    await board.until(id, ({ sessionStatus }) => sessionStatus === "running");
    expect((await board.act(id, "complete")).status).toBe(200);
    expect(board.processesOf(id)).toEqual([]);
  });

  test("ends what hides of an agent that ended by itself, also when it was resumed since", async () => {
    const hides = "env -i setsid sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 1000'";
    const { id } = await board.addTask(`(${hides} &); while [ ! -e pid ]; do sleep 0.02; done`);
    await board.act(id, "start");
    const { worktreePath } = await board.ended(id);
    const pid = Number(readFileSync(join(worktreePath ?? "", "pid"), "utf8"));
    expect((await board.act(id, "resume")).status).toBe(202);
    await board.until(id, ({ sessionStatus }) => sessionStatus === "running");
    expect(readProcess(pid)?.state).toBe("S");
    expect((await board.act(id, "complete")).status).toBe(200);
    expect(["Z", undefined]).toContain(readProcess(pid)?.state);
  });

  test("of a task that never ran just moves it", async () => {
    const { id } = await board.addTask();
    expect((await board.act(id, "complete")).body).toMatchObject({ status: "done", sessionStatus: null });
  });
});

test("an agent that asks is waiting for input, and running again once it is answered", async () => {
  const { id } = await board.addTask(
    'printf "Overwrite the file? [y/N] "; read answer; echo "got $answer"; exec sleep 1000',
  );
  await board.act(id, "start");
  await board.until(id, ({ sessionStatus }) => sessionStatus === "waiting_for_input");
  await board.server.post(`/api/tasks/${id}/terminal/input`, { text: "y", submit: true });
  await board.until(id, ({ sessionStatus }) => sessionStatus === "running");
});
