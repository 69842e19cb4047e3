import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionRow } from "../../../../src/server/sessions/viewers/session-list.ts";
import { TerminalBoard } from "../../../support/terminal-board.ts";

test("the list tells of every live session and shell, and no dead or hanging host holds it up", async () => {
  await using terminals = await TerminalBoard.start();
  const list = async () => {
    const { body } = await terminals.server.get<SessionRow[]>("/api/sessions");
    return (id: string, kind = "agent") => body.find((row) => row.taskId === id && row.kind === kind);
  };
  const watched = await terminals.run(["sh", "-c", "printf '\\033]0;at work\\00712345'; cat"], {
    cols: 90,
    rows: 30,
  });
  const alone = await terminals.run(["cat"]);
  const dead = await terminals.run(["cat"]);
  const hanging = await terminals.run(["cat"]);
  const ended = await terminals.run(["cat"]);
  const idle = await terminals.board.addTask();
  await terminals.setTask(ended.task.id, { sessionStatus: "done" });
  const viewer = terminals.watch(watched.task.id);
  await viewer.sees("12345");
  process.kill(dead.hostPid, "SIGKILL");
  process.kill(hanging.hostPid, "SIGSTOP");
  const { body: shell } = await terminals.server.post<{ id: string; pid: number }>(
    `/api/tasks/${watched.task.id}/shells`,
  );
  try {
    const started = performance.now();
    const find = await list();
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(find(watched.task.id)).toEqual({
      id: watched.sessionId,
      taskId: watched.task.id,
      taskTitle: watched.task.title,
      kind: "agent",
      name: "claude",
      status: "running",
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      cols: 90,
      rows: 30,
      viewers: 1,
      attachment: "attached",
      bytes: viewer.offset,
      pid: watched.pid,
      title: "at work",
      lines: [],
      gauges: null,
    });
    expect(find(alone.task.id)).toMatchObject({
      viewers: 0,
      attachment: "orphaned",
      bytes: 0,
      pid: alone.pid,
    });
    expect(find(dead.task.id)).toMatchObject({ status: "running", pid: null, cols: null, bytes: null });
    expect(find(hanging.task.id)).toMatchObject({ status: "running", pid: null });
    expect(find(ended.task.id)).toBeUndefined();
    expect(find(idle.id)).toBeUndefined();
    expect(find(watched.task.id, "shell")).toMatchObject({
      id: shell.id,
      name: "Shell 1",
      status: "running",
      pid: shell.pid,
      attachment: "orphaned",
    });
  } finally {
    process.kill(hanging.hostPid, "SIGCONT");
  }
}, 60_000);

test("whatever else answers at a session's address, the server stays", async () => {
  await using terminals = await TerminalBoard.start();
  const task = await terminals.board.addTask({ status: "active" });
  const sessionId = "00000000000000ad";
  const path = join(terminals.server.dataDir, "run", `${sessionId}.sock`);
  await terminals.setTask(task.id, { sessionStatus: "running", sessionId });
  const answers = [
    Buffer.from("HTTP/1.1 200 OK\r\n\r\n"),
    Buffer.alloc(64, 0xff),
    Buffer.from([6, 0, 0, 0, 65, ...Buffer.from("{nope")]),
  ];
  for (const answer of answers) {
    using impostor = Bun.listen({
      unix: path,
      socket: { open: (socket) => void socket.write(answer), data() {}, error() {} },
    });
    await terminals.watch(task.id).expectClose(4404);
    const { status } = await terminals.server.get(`/api/tasks/${task.id}/terminal/screen`);
    expect(status).toBe(409);
    impostor.stop(true);
  }
  writeFileSync(path, "not a socket");
  await terminals.watch(task.id).expectClose(4404);
  expect((await terminals.server.get<SessionRow[]>("/api/sessions")).body).toMatchObject([{ pid: null }]);
  expect(terminals.server.output).not.toContain("error");
}, 60_000);
