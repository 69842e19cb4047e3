// Real small disks, which only the server under test sees.

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { until } from "../../host/support/host.ts";
import { expectFailure } from "../../support/board.ts";
import { refuseLaunched, refuseLogs, refuseOutcomes, refuseWaiting } from "../../support/database.ts";
import { fill } from "../../support/fill-disk.ts";
import { run } from "../../support/program.ts";
import { LASTING, SessionBoard } from "../../support/sessions.ts";
import { isSkipped } from "../../support/skipped.ts";

setDefaultTimeout(60_000);

const inNamespace = (script: string) => ["unshare", "-rm", "sh", "-ec", `${script}; exec "$@"`, "sh"];
/** A disk of its own for the data. */
const smallDisk = (size: string) =>
  inNamespace(`mkdir -p "$BANTO_DATA_DIR"; mount -t tmpfs -o size=${size},mode=700 none "$BANTO_DATA_DIR"`);

const { code } = await run([...inNamespace("mount -t tmpfs none /mnt"), "true"], {
  PATH: process.env.PATH ?? "",
});

/** Until the database's log has no room left of what it had taken before. */
async function fillLog({ server }: SessionBoard) {
  const { body: project } = await server.get<{ id: string }[]>("/api/projects");
  const path = `/api/projects/${project[0]?.id}`;
  for (let size = 60_000, i = 0; size > 100; i += 1) {
    const setupCommand = `# ${i} `.padEnd(Math.min(size, 8_000), "x");
    if ((await server.patch(path, { setupCommand })).status === 507) size = Math.floor(size / 2);
  }
}

/** Until the server has met it once. */
async function refused({ server }: SessionBoard) {
  while (!server.output.includes("database or disk is full")) await Bun.sleep(5);
}

describe("what could not be written down is done all the same as soon as it can be", () => {
  test("after starting: the agent that runs is the session's, and stays the only one", async () => {
    await using board = await SessionBoard.start();
    const { id } = await board.addTask();
    {
      using _ = refuseLaunched(board.server);
      await board.act(id, "start");
      await refused(board);
    }
    expect(await board.settled(id)).toMatchObject({ sessionStatus: "running", sessionError: null });
    expect(board.agentsOf(id).length).toBe(1);
    await board.act(id, "stop");
    expect(await board.ended(id)).toMatchObject({ sessionError: "Stopped." });
    expect(board.processesOf(id)).toEqual([]);
  });

  test("after starting, though the server went away and then finds the agent's program gone", async () => {
    await using board = await SessionBoard.start();
    const { id } = await board.addTask();
    {
      using _ = refuseLaunched(board.server);
      await board.act(id, "start");
      await refused(board);
      await board.server.kill("SIGKILL");
    }
    rmSync(board.server.inData("agents.toml"));
    await board.server.restart();
    expect(await board.settled(id)).toMatchObject({ sessionStatus: "running", sessionError: null });
    expect(board.agentsOf(id).length).toBe(1);
  });

  test("after completing", async () => {
    await using board = await SessionBoard.start();
    const { id } = await board.running();
    {
      using _ = refuseOutcomes(board.server);
      expect((await board.act(id, "complete")).status).toBe(500);
    }
    expect(await board.settled(id)).toMatchObject({
      status: "done",
      sessionStatus: null,
      worktreePath: null,
    });
  });

  test("after ending the agent of a task that is being completed", async () => {
    await using board = await SessionBoard.start();
    const { id } = await board.running();
    {
      using _ = refuseLogs(board.server);
      expect((await board.act(id, "complete")).status).toBe(500);
    }
    expect(await board.settled(id)).toMatchObject({ status: "done", sessionStatus: null });
    expect(await board.logs(id)).toMatchObject([{ error: "Stopped.", archivedFor: "complete" }]);
  });

  test("after a start of the server that found an agent gone, and is none the later for it", async () => {
    await using board = await SessionBoard.start();
    const task = await board.running();
    await board.server.kill("SIGKILL");
    board.killHost(task);
    {
      using _ = refuseLogs(board.server);
      await board.server.restart();
      expect(await board.task(task.id)).toMatchObject({ sessionStatus: "running" });
    }
    const { sessionStatus, sessionError } = await board.ended(task.id);
    expect({ sessionStatus, sessionError }).toEqual({
      sessionStatus: "failed",
      sessionError: expect.stringMatching(/^server restart/),
    });
  });

  test("after bringing a worktree back", async () => {
    await using board = await SessionBoard.start();
    const { id, worktreePath } = await board.running();
    await board.act(id, "complete");
    const [log] = await board.logs(id);
    {
      using _ = refuseOutcomes(board.server);
      const { status } = await board.server.post(`/api/tasks/${id}/session-logs/${log?.id}/restore`);
      expect(status).toBe(500);
    }
    expect(await board.settled(id)).toMatchObject({ worktreePath });
  });

  test("after an agent that says nothing more began to wait", async () => {
    await using board = await SessionBoard.start();
    const { id } = await board.running("echo on; read go; printf 'Go on? [y/N] '; read answer");
    {
      using _ = refuseWaiting(board.server);
      await board.server.post(`/api/tasks/${id}/terminal/input`, { text: "go", submit: true });
      await until(() => board.server.output.includes("reading what an agent does"), "the refusal");
    }
    const { activity } = await board.until(id, (task) => task.sessionStatus === "waiting_for_input");
    expect(activity).toMatchObject({ kind: "question", reason: "Go on? [y/N]" });
  });
});

const reason = code === 0 ? undefined : "nothing can be mounted in a namespace of one's own";

describe.skipIf(isSkipped("small disks", reason))("on a disk", () => {
  test("that is nearly full sessions are refused, and everything else goes on", async () => {
    await using board = await SessionBoard.start({}, smallDisk("40m"));
    const { id } = await board.addTask();
    expectFailure(await board.act(id, "start"), "invalid", /nearly full. Free some space/);
    expect((await board.server.patch(`/api/tasks/${id}`, { title: ": renamed" })).status).toBe(200);
    expect((await board.task(id)).sessionStatus).toBeNull();
  });

  test("that becomes full nothing is lost: changes are refused, agents go on, and so does the board afterwards", async () => {
    await using board = await SessionBoard.start({}, smallDisk("100m"));
    const task = await board.running("echo on; read code; exit $code");
    const filler = board.server.inData("filler");
    fill(filler);
    const title = ": x".repeat(100);
    const refused = await board.server.patch(`/api/tasks/${task.id}`, {
      title,
      description: "d".repeat(60_000),
    });
    expectFailure(refused, "no_space", /full.*Free some space/);
    expect(await board.task(task.id)).toMatchObject({ title: task.title, sessionStatus: "running" });
    expect(board.agentsOf(task.id).length).toBe(1);
    rmSync(filler);
    expect((await board.server.patch(`/api/tasks/${task.id}`, { title })).status).toBe(200);
    await board.server.post(`/api/tasks/${task.id}/terminal/input`, { text: "0", submit: true });
    expect((await board.ended(task.id)).sessionStatus).toBe("done");
  });

  test("that becomes full an agent is stopped all the same, and that is written down once there is room", async () => {
    await using board = await SessionBoard.start({}, smallDisk("100m"));
    const task = await board.running("echo on; exec sleep 1000");
    await board.act((await board.running()).id, "complete"); // something for the trash
    const filler = board.server.inData("filler");
    fill(filler);
    await fillLog(board);
    expect(await board.act(task.id, "stop")).toMatchObject({
      status: 202,
      body: { sessionOperation: "stop" },
    });
    await until(() => board.processesOf(task.id).length === 0, "the agent to end");
    expectFailure(
      await board.act(task.id, "complete"),
      "no_space",
      /full \(0 B left\).*at least 1 MB.*1 archived worktree; emptying it would free \d+ kB/,
    );
    expect(await board.task(task.id)).toMatchObject({ sessionStatus: "running" });
    rmSync(filler);
    expect(await board.ended(task.id)).toMatchObject({ sessionStatus: "failed", sessionError: "Stopped." });
    expect(await board.act(task.id, "complete")).toMatchObject({ status: 200, body: { status: "done" } });
  });

  test("that becomes full while a worktree is archived, that says what could be freed, and the worktree stays", async () => {
    const small = inNamespace(
      `umask 077; mkdir -p "$BANTO_DATA_DIR/small"; cd "$BANTO_DATA_DIR"
       mount -t tmpfs -o size=20m none small
       for name in worktrees trash; do mkdir small/$name; ln -s small/$name $name; done; cd /`,
    );
    await using board = await SessionBoard.start({}, small);
    await board.act((await board.running()).id, "complete"); // something for the trash
    const task = await board.running();
    const filler = board.server.inData("small/filler");
    fill(filler);
    const frees = /stays where it is: .*disk is full.*1 archived worktree; emptying it would free \d+ kB/;
    expectFailure(await board.act(task.id, "complete"), "no_space", frees);
    const { status, worktreePath, sessionError } = await board.settled(task.id);
    expect({ status, worktreePath }).toEqual({ status: "active", worktreePath: task.worktreePath });
    expect(sessionError).toMatch(frees);
    expect(readdirSync(board.server.inData("trash")).length).toBe(1);
    rmSync(filler);
    expect((await board.act(task.id, "complete")).status).toBe(200);
  });

  test("that becomes full a session that ends well is done all the same", async () => {
    const run = '"$BANTO_DATA_DIR/run"';
    const small = inNamespace(`umask 077; mkdir -p ${run}; mount -t tmpfs -o size=100m none ${run}`);
    await using board = await SessionBoard.start({}, small);
    const { id } = await board.running("echo on; read code; exit $code");
    fill(board.server.inData("run/filler"));
    await board.server.post(`/api/tasks/${id}/terminal/input`, { text: "0", submit: true });
    expect(await board.ended(id)).toMatchObject({ sessionStatus: "done", sessionError: null });
  });

  test("that becomes full a file for a terminal is refused, and nothing of it stays", async () => {
    await using board = await SessionBoard.start({}, smallDisk("100m"));
    const task = await board.running();
    const filler = board.server.inData("filler");
    fill(filler);
    const give = () =>
      board.server.request("POST", `/api/tasks/${task.id}/files?name=x.bin`, {
        body: new Uint8Array(1 << 20),
      });
    expectFailure(await give(), "no_space", /file was not stored. Free some space/);
    expect(readdirSync(board.server.inData("files/arriving"))).toEqual([]);
    rmSync(filler);
    expect((await give()).status).toBe(201);
  });

  test("that becomes full a shell is refused and says why, and can be opened afterwards", async () => {
    await using board = await SessionBoard.start({}, smallDisk("100m"));
    const task = await board.running();
    const filler = board.server.inData("filler");
    fill(filler);
    const open = () => board.server.post(`/api/tasks/${task.id}/shells`, {});
    expectFailure(await open(), "no_space", /full.*Free some space/);
    rmSync(filler);
    expect((await open()).status).toBe(201);
  });

  test("that can't be written a session fails and says why", async () => {
    const readOnly = inNamespace(
      'umask 077; mkdir -p "$BANTO_DATA_DIR/worktrees"; mount -t tmpfs -o ro none "$BANTO_DATA_DIR/worktrees"',
    );
    await using board = await SessionBoard.start({}, readOnly);
    const { id } = await board.addTask(LASTING);
    await board.act(id, "start");
    const { sessionStatus, sessionError } = await board.ended(id);
    expect(sessionStatus).toBe("failed");
    expect(sessionError).toMatch(/the disk is read-only; make it writable/);
  });
});

test("a server that may open no more files says so when a shell is asked for, and goes on", async () => {
  await using board = await SessionBoard.start();
  const task = await board.running();
  const { pid } = board.server;
  const open = () => board.server.post(`/api/tasks/${task.id}/shells`, {});
  const limit = async (files: string) =>
    (await run(["prlimit", "--pid", `${pid}`, `--nofile=${files}`], { PATH: process.env.PATH ?? "" })).code;
  expect(await limit(`${readdirSync(`/proc/${pid}/fd`).length + 1}:4096`)).toBe(0);
  expectFailure(await open(), "too_many", /limit of open files.*ulimit -n/);
  expect(await limit("4096:4096")).toBe(0);
  expect(board.agentsOf(task.id).length).toBe(1);
  expect((await open()).status).toBe(201);
});
