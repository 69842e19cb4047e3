import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLOSE } from "../../../src/contract.ts";
import { isRunning, readProcess } from "../../../src/host/processes/processes.ts";
import { readClaim } from "../../../src/host/protocol/claim.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { olderCheckout } from "../../host/support/checkout.ts";
import { startHost } from "../../host/support/host.ts";
import { expectFailure } from "../../support/board.ts";
import { RUN_MARKER } from "../../support/program.ts";
import { SessionBoard } from "../../support/sessions.ts";
import { TestViewer } from "../../support/viewer.ts";

setDefaultTimeout(30_000);

/** So that a host takes the place of the session's own. */
function hostFiles({ server }: SessionBoard, { sessionId }: TaskRow) {
  const file = (ending: string) => server.inData(`run/${sessionId}.${ending}`);
  rmSync(file("claim"));
  rmSync(file("sock"), { force: true });
  return {
    ...{ sessionId: sessionId ?? "", socketPath: file("sock"), claimPath: file("claim") },
    ...{ recordPath: file("exit"), logPath: file("log") },
  };
}

describe("a restart of the server", () => {
  test("leaves agents running and takes them back, whichever way it ended", async () => {
    await using own = await SessionBoard.start();
    const task = await own.running(
      'i=0; while :; do i=$((i+1)); echo "$i" >> count; echo "line $i"; sleep 0.02; done',
    );
    const agent = own.agentsOf(task.id).map(({ pid }) => pid)[0];
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      await own.server.kill(signal);
      await own.server.restart();
      expect(await own.task(task.id)).toMatchObject({ sessionStatus: "running", sessionId: task.sessionId });
      expect(own.agentsOf(task.id).some(({ pid }) => pid === agent)).toBe(true);
    }
    await own.act(task.id, "stop");
    expect((await own.ended(task.id)).sessionError).toBe("Stopped.");
  });

  test("finds out what became of an agent that ended meanwhile", async () => {
    await using own = await SessionBoard.start();
    const task = await own.running("echo on; while [ ! -e go ]; do sleep 0.02; done; echo finished; exit 0");
    await own.server.kill("SIGKILL");
    writeFileSync(join(task.worktreePath ?? "", "go"), "");
    const record = join(own.server.dataDir, "run", `${task.sessionId}.exit`);
    while (!existsSync(record)) await Bun.sleep(10);
    await own.server.restart();
    expect(await own.ended(task.id)).toMatchObject({ sessionStatus: "done" });
    expect((await own.logs(task.id))[0]).toMatchObject({ exitStatus: "done", exitCode: 0 });
  });

  test("leaves an agent alone whose host does not answer, and takes it back when it does", async () => {
    await using own = await SessionBoard.start();
    const task = await own.running(
      'echo on; while [ ! -e go ]; do sleep 0.02; done; printf "Go on? [y/N] "; read answer',
    );
    await own.server.kill("SIGKILL");
    process.kill(own.hostOf(task), "SIGSTOP");
    await own.server.restart();
    const { activity, ...row } = await own.task(task.id);
    expect(row).toMatchObject({ sessionStatus: "running", sessionId: task.sessionId });
    expect(activity?.kind).not.toBe("trouble"); // it was not waited for
    expect(own.agentsOf(task.id).length).toBe(1);
    process.kill(own.hostOf(task), "SIGCONT");
    writeFileSync(join(task.worktreePath ?? "", "go"), "");
    await own.until(task.id, ({ sessionStatus }) => sessionStatus === "waiting_for_input");
  });

  test("does not wait for the frozen host of an agent that has ended, and ends it", async () => {
    await using own = await SessionBoard.start();
    const task = await own.running("echo on; while [ ! -e go ]; do sleep 0.02; done");
    const host = readClaim(own.server.inData(`run/${task.sessionId}.claim`));
    if (host === undefined) throw new Error("nobody took the claim");
    await own.server.arm("end:written");
    writeFileSync(join(task.worktreePath ?? "", "go"), "");
    const isUp = () =>
      own.server.get("/api/health").then(
        () => true,
        () => false,
      );
    while (await isUp()) await Bun.sleep(20);
    process.kill(host.pid, "SIGSTOP");
    await own.server.restart();
    expect(await own.task(task.id)).toMatchObject({ sessionStatus: "done" });
    expect(isRunning(host)).toBe(true);
    await own.server.kill("SIGKILL");
    {
      using database = new Database(own.server.database);
      database.run("UPDATE tasks SET session_status = NULL, session_id = NULL"); // of no task, but with a log
    }
    await own.server.restart();
    expect(isRunning(host)).toBe(true);
    while (isRunning(host)) await Bun.sleep(20);
  });

  test("says of an agent whose host is frozen that it is not answering, on the card and in its terminal", async () => {
    await using own = await SessionBoard.start();
    const task = await own.running();
    const host = own.hostOf(task);
    process.kill(host, "SIGSTOP");
    const { activity } = await own.until(task.id, ({ activity }) => activity?.kind === "trouble");
    expect(activity?.reason).toMatch(/isn't answering.*left alone/);
    await own.server.kill("SIGKILL");
    await own.server.restart();
    using viewer = TestViewer.open(own.server, task.id);
    expect(await viewer.expectClose(CLOSE.unreachable)).toMatch(/isn't answering.*left alone/);
    expectFailure(
      await own.server.get(`/api/tasks/${task.id}/terminal/screen`),
      "conflict",
      /isn't answering/,
    );
    expect(await own.task(task.id)).toMatchObject({ sessionId: task.sessionId, sessionError: null });
    expect(own.agentsOf(task.id).length).toBe(1);
    process.kill(host, "SIGCONT");
    await own.until(
      task.id,
      ({ sessionStatus, activity }) => sessionStatus === "running" && activity?.kind !== "trouble",
    );
    using again = TestViewer.open(own.server, task.id);
    await again.live();
  });

  test("says of an agent whose host is another version's that it runs an older banto, and ends it when it is stopped", async () => {
    using older = olderCheckout();
    await using own = await SessionBoard.start();
    const task = await own.running();
    await own.server.kill("SIGKILL");
    own.killHost(task);
    await using host = await startHost(
      ["sh", "-c", "echo started; exec sleep 1000"],
      {
        ...hostFiles(own, task),
        env: { BANTO_TASK_ID: task.id, [RUN_MARKER.name]: RUN_MARKER.value },
      },
      await older.launch(),
    );
    await own.server.restart();
    const { activity } = await own.until(task.id, ({ activity }) => activity?.kind === "trouble");
    const reason = "The agent runs an older banto. To see its terminal, stop it and resume.";
    expect(activity?.reason).toBe(reason);
    using viewer = TestViewer.open(own.server, task.id);
    expect(await viewer.expectClose(CLOSE.unreachable)).toBe(reason);
    expect(readProcess(host.pid)).toBeDefined();
    await own.act(task.id, "stop");
    expect(await own.ended(task.id)).toMatchObject({ sessionError: "Stopped." });
    expect(own.processesOf(task.id)).toEqual([]);
    // This test is its parent, and may not have collected it yet.
    expect([undefined, "Z"]).toContain(readProcess(host.hostPid)?.state);
  });

  test("finds an agent gone though an older worktree was just being brought back", async () => {
    await using own = await SessionBoard.start();
    const first = await own.running();
    await own.act(first.id, "retry");
    await own.until(
      first.id,
      ({ sessionStatus, branch }) => sessionStatus === "running" && branch !== first.branch,
    );
    const task = await own.settled(first.id);
    const [log] = await own.logs(task.id);
    await own.server.arm("restore:accepted");
    const restoring = own.server.post(`/api/tasks/${task.id}/session-logs/${log?.id}/restore`);
    await expect(restoring).rejects.toThrow();
    own.killHost(task);
    await own.server.restart();
    expect((await own.ended(task.id)).sessionError).toContain("server restart");
    expect(existsSync(await own.restore(task.id, log))).toBe(true);
  });

  test("says so when the host is gone too, and nothing is moved", async () => {
    await using own = await SessionBoard.start();
    const task = await own.running();
    writeFileSync(join(task.worktreePath ?? "", "left"), "behind");
    await own.server.kill("SIGKILL");
    own.killHost(task);
    await own.server.restart();
    const after = await own.ended(task.id);
    expect(after).toMatchObject({
      sessionStatus: "failed",
      worktreePath: task.worktreePath,
      branch: task.branch,
    });
    expect(after.sessionError).toContain("server restart");
    expect(own.processesOf(task.id)).toEqual([]);
    expect(readFileSync(join(task.worktreePath ?? "", "left"), "utf8")).toBe("behind");
    expect((await own.logs(task.id))[0]).toMatchObject({ exitStatus: "failed" });
    expect((await own.act(task.id, "resume")).status).toBe(202);
  });
});

describe("an agent that the machine ends, as when it shuts down, was not stopped by a person", () => {
  const ended = { sessionStatus: "failed", sessionError: expect.stringMatching(/machine.*Resume or retry/) };

  test("while the server looks on", async () => {
    await using board = await SessionBoard.start();
    const task = await board.running("trap 'exit 0' TERM; echo on; while :; do sleep 0.02; done");
    process.kill(board.hostOf(task), "SIGTERM");
    expect(await board.ended(task.id)).toMatchObject(ended);
    expect(board.processesOf(task.id)).toEqual([]);
  });

  test("after the server has gone", async () => {
    await using board = await SessionBoard.start();
    const task = await board.running();
    await board.server.kill("SIGTERM");
    process.kill(board.hostOf(task), "SIGTERM");
    const record = join(board.server.dataDir, "run", `${task.sessionId}.exit`);
    while (!existsSync(record)) await Bun.sleep(10);
    await board.server.restart();
    expect(await board.ended(task.id)).toMatchObject(ended);
  });
});

test("an agent whose host is killed is said to have failed, and nothing of it runs on", async () => {
  await using board = await SessionBoard.start();
  const task = await board.running("nohup setsid sleep 1003 >/dev/null 2>&1 & echo on; exec sleep 1000");
  board.killHost(task);
  const { sessionStatus, sessionError } = await board.ended(task.id);
  expect(sessionStatus).toBe("failed");
  expect(sessionError).toContain("Resume");
  expect(board.processesOf(task.id)).toEqual([]);
});
