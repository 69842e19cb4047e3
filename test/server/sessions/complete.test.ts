// What completing would put away is told before, and committed first where that is asked for.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Work } from "../../../src/server/git/work/work.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure } from "../../support/board.ts";
import { gitIn } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";

setDefaultTimeout(60_000);

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.startHere();
  await board.board.repository.git("config", "user.name", "Test Person");
  await board.board.repository.git("config", "user.email", "person@example.org");
});
afterAll(() => board[Symbol.asyncDispose]());

const workOf = ({ id }: TaskRow) => board.server.get<Work>(`/api/tasks/${id}/worktree`);
const complete = ({ id }: TaskRow, commit: string) =>
  board.server.post<TaskRow>(`/api/tasks/${id}/complete`, { commit });

async function withTwoFiles(): Promise<TaskRow> {
  const task = await board.running();
  for (const name of ["one", "two"]) writeFileSync(join(task.worktreePath ?? "", name), name);
  return task;
}

test("what is in a worktree is told before it is put away", async () => {
  const task = await withTwoFiles();
  const { status, body } = await workOf(task);
  expect(status).toBe(200);
  expect(body).toEqual({ branch: task.branch, uncommitted: 2, commits: 0 });
  await board.act(task.id, "complete");
  expectFailure(await workOf(task), "not_found", /no worktree/);
});

test("asked to, completing commits first: the branch then holds the work", async () => {
  const task = await withTwoFiles();
  const { status, body } = await complete(task, "Do the task");
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: "done", worktreePath: null, sessionStatus: null });
  const { repository } = board.board;
  expect(await repository.git("log", "--format=%s", `main..${task.branch}`)).toBe("Do the task");
  expect(await repository.git("ls-tree", "--name-only", task.branch ?? "")).toBe("README.md\none\ntwo");
});

test("what can't be committed keeps the task and its worktree where they are, and says why", async () => {
  const task = await withTwoFiles();
  const path = task.worktreePath ?? "";
  mkdirSync(join(path, "inner"));
  await gitIn(join(path, "inner"), "init", "--quiet");
  writeFileSync(join(path, "inner/file"), "");
  expectFailure(await complete(task, "Do it"), "conflict", /stays where it is: inner is a repository/);
  expect(await board.task(task.id)).toMatchObject({ status: "active", worktreePath: path });
  expect(await gitIn(path, "log", "--format=%s", `main..${task.branch}`)).toBe("");
  expect((await board.act(task.id, "complete")).status).toBe(200);
});
