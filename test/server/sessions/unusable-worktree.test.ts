// A worktree that is not where it was: nothing is said to have been put away. And one in which git is locked.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure } from "../../support/board.ts";
import { gitIn } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";
import { expectWork, leaveWork } from "../../support/work.ts";

setDefaultTimeout(30_000);

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

async function stopped(): Promise<TaskRow & { worktreePath: string }> {
  const { id } = await board.running();
  await board.act(id, "stop");
  const task = await board.ended(id);
  return { ...task, worktreePath: task.worktreePath ?? "" };
}

test("completing, retrying, resuming and deleting are refused, and are done once it is back", async () => {
  const task = await stopped();
  const { id, worktreePath: path } = task;
  const work = await leaveWork(path);
  renameSync(path, `${path}.away`);
  const refused = [
    await board.act(id, "complete"),
    await board.act(id, "retry"),
    await board.act(id, "resume"),
    await board.server.delete(`/api/tasks/${id}`),
    await board.server.delete(`/api/projects/${task.projectId}`),
  ];
  mkdirSync(path); // which is not the worktree
  refused.push(await board.act(id, "complete"));
  for (const answer of refused) {
    expect(answer.status).toBe(409);
    expectFailure(answer, "worktree_missing", /is missing from .*Put it back .*forget it/);
  }
  expect(await board.task(id)).toEqual(task);
  rmdirSync(path);
  renameSync(`${path}.away`, path);
  expect((await board.act(id, "complete")).status).toBe(200);
  await expectWork(await board.restore(id), work);
});

test("an agent whose worktree was taken away goes on when completing is refused", async () => {
  const { id, worktreePath } = await board.running();
  renameSync(worktreePath ?? "", `${worktreePath}.away`);
  expectFailure(await board.act(id, "complete"), "worktree_missing", /Put it back/);
  expect(await board.task(id)).toMatchObject({ status: "active", sessionStatus: "running" });
  expect(board.agentsOf(id).length).toBe(1);
});

test("one that is gone for good can be forgotten: its branch stays, and the task can begin anew", async () => {
  const { id, worktreePath: path, branch } = await stopped();
  const forget = () => board.server.post<TaskRow>(`/api/tasks/${id}/worktree/forget`);
  expectFailure(await forget(), "conflict", /is still at/);
  renameSync(path, `${path}.away`);
  const forgotten = await forget();
  expect(forgotten).toMatchObject({ status: 200, body: { worktreePath: null, branch: null } });
  expect(await gitIn(board.board.repository.path, "branch", "--list", branch ?? "")).not.toBe("");
  expect((await board.act(id, "retry")).status).toBe(202);
  const again = await board.until(id, ({ sessionStatus }) => sessionStatus === "running");
  expect(again).toMatchObject({ worktreePath: path });
  expect(again.branch).not.toBe(branch);
});

test("a lock of git's that a stopped agent left is named on resume, and can be removed with it", async () => {
  const { id, worktreePath: path } = await stopped();
  const directory = await gitIn(path, "rev-parse", "--absolute-git-dir");
  const lock = join(directory, "index.lock");
  const module = join(directory, "modules/vendor/lib");
  mkdirSync(module, { recursive: true });
  writeFileSync(join(module, "HEAD"), "ref: refs/heads/main\n");
  for (const left of [join(module, "index.lock"), lock]) {
    writeFileSync(left, "half an index");
    expectFailure(
      await board.act(id, "resume"),
      "worktree_locked",
      new RegExp(`left a lock.*${left}.*remove`),
    );
  }
  expect(await board.task(id)).toMatchObject({ sessionStatus: "failed", sessionError: "Stopped." });
  expect(existsSync(lock)).toBe(true);
  const unlocked = await board.server.post(`/api/tasks/${id}/session/resume`, { unlock: true });
  expect(unlocked.status).toBe(202);
  await board.until(id, ({ sessionStatus }) => sessionStatus === "running");
  await gitIn(path, "add", "--all");
  expect(readFileSync(`${lock}.stale`, "utf8")).toBe("half an index");
  expect(existsSync(join(module, "index.lock"))).toBe(false);
  // What an agent that runs holds is its own.
  writeFileSync(lock, "");
  expectFailure(
    await board.server.post(`/api/tasks/${id}/session/resume`, { unlock: true }),
    "conflict",
    /running/,
  );
  expect(existsSync(lock)).toBe(true);
});
