import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure } from "../../support/board.ts";
import { SessionBoard } from "../../support/sessions.ts";
import { expectWork, leaveWork } from "../../support/work.ts";

setDefaultTimeout(60_000);

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

const reopen = (id: string) => board.server.post<TaskRow>(`/api/tasks/${id}/reopen`);

async function completed(fields?: Record<string, unknown>): Promise<TaskRow> {
  const { id } = await board.addTask(undefined, fields);
  const task = await board.task(id);
  expect((await board.act(id, "complete")).body.status).toBe("done");
  return task;
}

/** Completed with a worktree that had work in it. */
async function completedWork() {
  const task = await board.running();
  const work = await leaveWork(task.worktreePath ?? "");
  expect((await board.act(task.id, "complete")).status).toBe(200);
  return { task, work };
}

describe("reopening a completed task", () => {
  test("brings the card back to its place, with its worktree and its conversation", async () => {
    const { task, work } = await completedWork();
    const { status, body } = await reopen(task.id);
    expect(status).toBe(200);
    const { position, branch, worktreePath, agentSessionId } = task;
    expect(body).toMatchObject({ status: "active", position, branch, worktreePath, agentSessionId });
    expect(body).toMatchObject({ sessionStatus: null, sessionOperation: null, completedFrom: null });
    await expectWork(worktreePath ?? "", work);
    expect((await board.act(task.id, "resume")).status).toBe(202);
  });

  for (const from of ["active", "backlog"] as const) {
    test(`without a worktree brings it back to ${from}`, async () => {
      const { id, position } = await completed({ status: from });
      expect((await board.task(id)).completedFrom).toEqual({ status: from, position, hadWorktree: false });
      expect((await reopen(id)).body).toMatchObject({ status: from, position, worktreePath: null });
    });
  }

  test("puts it beside the card that has taken its place", async () => {
    const { id, position } = await completed();
    const other = await board.addTask();
    await board.server.patch(`/api/tasks/${other.id}`, { position });
    const { body } = await reopen(id);
    expect(body.status).toBe("active");
    expect(body.position > position).toBe(true);
  });

  test("leaves an older worktree in the trash when the last completion had none", async () => {
    const { task } = await completedWork();
    await board.server.patch(`/api/tasks/${task.id}`, { status: "active" });
    await board.act(task.id, "complete");
    expect((await reopen(task.id)).body).toMatchObject({ status: "active", worktreePath: null });
  });

  test("brings back the worktree of a card that somebody has moved already, and leaves the card", async () => {
    const { task, work } = await completedWork();
    await board.server.patch(`/api/tasks/${task.id}`, { status: "backlog" });
    expect((await reopen(task.id)).body).toMatchObject({
      status: "backlog",
      worktreePath: task.worktreePath,
    });
    await expectWork(task.worktreePath ?? "", work);
  });

  test("brings the card back when its worktree was deleted for good", async () => {
    const { task } = await completedWork();
    const [log] = await board.logs(task.id);
    expect((await board.server.delete(`/api/trash/${log?.trash}`)).status).toBe(204);
    expect((await reopen(task.id)).body).toMatchObject({ status: "active", worktreePath: null });
    expect(existsSync(task.worktreePath ?? "")).toBe(false);
  });

  test("is refused where nothing was completed", async () => {
    const { id } = await board.addTask();
    expectFailure(await reopen(id), "conflict", "The task is not completed; there is nothing to undo.");
    const running = await board.running();
    expectFailure(await reopen(running.id), "conflict", /already running/);
    expectFailure(await reopen("nowhere"), "not_found", /no task/);
  });

  test("waits for a completion that is under way", async () => {
    const task = await board.running();
    const completing = board.act(task.id, "complete");
    await board.until(
      task.id,
      ({ sessionOperation, status }) => sessionOperation === "archive" || status === "done",
    );
    expect(await reopen(task.id)).toMatchObject({
      status: 200,
      body: { status: "active", worktreePath: task.worktreePath },
    });
    await completing;
  });
});

describe("starting a card that is not active", () => {
  const start = (id: string, body?: unknown, action = "start") =>
    board.server.post<TaskRow>(`/api/tasks/${id}/session/${action}`, body);

  test("moves it to the top of Active in the same step", async () => {
    const other = await board.addTask();
    const { id } = await board.addTask(undefined, { status: "backlog" });
    using events = await board.server.events();
    const { status, body } = await start(id, { activate: true });
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: "active", sessionStatus: "pending", sessionOperation: "start" });
    expect(body.position < other.position).toBe(true);
    const seen = await events.until(({ type, data }) => type === "task" && data.id === id);
    expect(seen.at(-1)?.data).toMatchObject({ status: "active", sessionStatus: "pending" });
  });

  test("is refused without being asked for, and the card stays", async () => {
    const task = await board.addTask(undefined, { status: "backlog" });
    for (const body of [undefined, {}, { activate: false }]) {
      expectFailure(await start(task.id, body), "invalid", /Move the task to Active first/);
    }
    expect(await board.task(task.id)).toEqual(task);
  });

  test("leaves the card where it is when the start is refused", async () => {
    const unknown = await board.addTask(undefined, { status: "backlog", agent: "claude" });
    expect((await start(unknown.id, { activate: true })).status).toBe(422); // there is no such program here
    expect(await board.task(unknown.id)).toEqual(unknown);
    expectFailure(await start(unknown.id, { activate: "yes" }), "invalid", /body/);
  });

  test("resumes and retries the same way", async () => {
    for (const action of ["resume", "retry"]) {
      const { id } = await board.running();
      await board.act(id, "stop");
      await board.ended(id);
      await board.server.patch(`/api/tasks/${id}`, { status: "backlog" });
      expectFailure(await start(id, undefined, action), "invalid", /Move the task to Active first/);
      expect(await start(id, { activate: true }, action)).toMatchObject({
        status: 202,
        body: { status: "active", sessionStatus: "pending" },
      });
    }
  });
});

test("a start past the limit leaves the card where it is", async () => {
  await using own = await SessionBoard.start({ BANTO_MAX_SESSIONS: "1" });
  await own.running();
  const task = await own.addTask(undefined, { status: "backlog" });
  const answer = await own.server.post(`/api/tasks/${task.id}/session/start`, { activate: true });
  expectFailure(answer, "too_many", /limit of 1/);
  expect(await own.task(task.id)).toEqual(task);
});
