// Agents that run though the database does not know them, as after an older backup was put back.

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UnknownSession } from "../../../src/server/sessions/unknown.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure } from "../../support/board.ts";
import { TestRepository } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";

setDefaultTimeout(30_000);

const unknown = async ({ server }: SessionBoard) =>
  (await server.get<UnknownSession[]>("/api/unknown-sessions")).body;
const adopt = ({ server }: SessionBoard, id: string | null) =>
  server.post<TaskRow>(`/api/unknown-sessions/${id}/adopt`);

/** The database as it was before the task's agent was started, while that runs. */
async function withOlderBackup(script?: string) {
  const board = await SessionBoard.start();
  const { id } = await board.addTask(script);
  await board.server.restart(); // by which everything is in the one file
  const backup = join(board.server.home, "backup.db");
  await board.server.kill("SIGTERM");
  copyFileSync(board.server.database, backup);
  await board.server.restart();
  await board.act(id, "start");
  const task = await board.until(
    id,
    ({ sessionStatus, sessionOperation }) => sessionStatus === "running" && sessionOperation === null,
  );
  await board.server.kill("SIGTERM");
  copyFileSync(backup, board.server.database);
  await board.server.restart();
  return { board, task };
}

test("an older backup keeps newer agents alive, and nothing touches their worktrees until somebody has decided", async () => {
  const { board, task } = await withOlderBackup('echo on; read line; echo "$line" > heard; exec sleep 1000');
  await using _ = board;
  expect(await board.task(task.id)).toMatchObject({ sessionStatus: null, worktreePath: null });
  expect(await unknown(board)).toMatchObject([
    { id: task.sessionId, taskId: task.id, title: task.title, branch: task.branch },
  ]);
  for (const verb of ["start", "retry", "complete"]) {
    expectFailure(await board.act(task.id, verb), "conflict", /doesn.t know.*Adopt it or end it/);
  }
  expectFailure(await board.server.delete(`/api/tasks/${task.id}`), "conflict", /Adopt it or end it/);
  expect(board.agentsOf(task.id).length).toBe(1);

  const adopted = await adopt(board, task.sessionId);
  expect(adopted.status).toBe(200);
  expect(adopted.body).toMatchObject({
    id: task.id,
    status: "active",
    sessionId: task.sessionId,
    sessionStatus: "running",
    worktreePath: task.worktreePath,
    branch: task.branch,
  });
  expect(await unknown(board)).toEqual([]);
  await board.server.post(`/api/tasks/${task.id}/terminal/input`, { text: "hello", submit: true });
  const heard = join(task.worktreePath ?? "", "heard");
  while (!existsSync(heard)) await Bun.sleep(10);
  expect((await board.act(task.id, "complete")).status).toBe(200);
  expect(board.processesOf(task.id)).toEqual([]);
  expect(readFileSync(join(await board.restore(task.id), "heard"), "utf8")).toBe("hello\n");
});

test("one whose task and project are gone too gets them back when it is adopted", async () => {
  await using board = await SessionBoard.start();
  using repository = await TestRepository.create();
  const { body } = await board.server.post<{ id: string }>("/api/projects", { path: repository.path });
  const task = await board.running(undefined, { projectId: body.id });
  writeFileSync(join(task.worktreePath ?? "", "left"), "behind");
  await board.server.kill("SIGTERM");
  using database = new Database(board.server.database);
  database.run("DELETE FROM tasks WHERE id = ?", [task.id]);
  database.run("DELETE FROM projects WHERE id = ?", [body.id]);
  await board.server.restart();
  expect(board.agentsOf(task.id).length).toBe(1);
  expect(await unknown(board)).toMatchObject([{ id: task.sessionId, taskId: task.id, title: null }]);
  const adopted = await adopt(board, task.sessionId);
  expect(adopted.body).toMatchObject({ id: task.id, sessionStatus: "running", branch: task.branch });
  const projects = (await board.server.get<{ id: string; path: string }[]>("/api/projects")).body;
  expect(projects.find(({ id }) => id === adopted.body.projectId)?.path).toBe(repository.path);
  expect((await board.act(task.id, "complete")).status).toBe(200);
  expect(readFileSync(join(await board.restore(task.id), "left"), "utf8")).toBe("behind");
});

test("one that is ended leaves its worktree, and the task is free again", async () => {
  const { board, task } = await withOlderBackup();
  await using _ = board;
  expect((await board.server.delete(`/api/unknown-sessions/${task.sessionId}`)).status).toBe(204);
  expect(board.processesOf(task.id)).toEqual([]);
  expect(existsSync(task.worktreePath ?? "")).toBe(true);
  expect(await unknown(board)).toEqual([]);
  expectFailure(await adopt(board, task.sessionId), "not_found", /session/);
  expect((await board.act(task.id, "start")).status).toBe(202);
});

test("one whose host does not answer is left alone as well, and can be ended", async () => {
  await using board = await SessionBoard.start();
  const task = await board.running();
  await board.server.kill("SIGTERM");
  process.kill(board.hostOf(task), "SIGSTOP");
  using database = new Database(board.server.database);
  database.run("DELETE FROM tasks WHERE id = ?", [task.id]);
  await board.server.restart();
  expect(board.agentsOf(task.id).length).toBe(1);
  expect(await unknown(board)).toMatchObject([{ id: task.sessionId, taskId: task.id }]);
  expect((await board.server.delete(`/api/unknown-sessions/${task.sessionId}`)).status).toBe(204);
  expect(board.processesOf(task.id)).toEqual([]);
});
