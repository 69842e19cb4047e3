import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { SESSION_STATUSES, type SessionStatus } from "../../src/contract.ts";
import { openStore, type Store } from "../../src/db/open.ts";
import { sessionLogs, tasks } from "../../src/db/schema.ts";
import type { ProjectRow } from "../../src/server/projects/projects.ts";
import { expectFailure, TestBoard } from "../support/board.ts";
import { TestRepository } from "../support/repository.ts";

type SessionLog = typeof sessionLogs.$inferSelect;

let board: TestBoard;
let store: Store;
beforeAll(async () => {
  board = await TestBoard.startHere();
  store = openStore(board.server.database);
});
afterAll(async () => {
  store.close();
  await board[Symbol.asyncDispose]();
});

async function taskWithSession(sessionStatus: SessionStatus, projectId = board.project.id) {
  const task = await board.addTask({ projectId, status: "active" });
  store.write((tx) => tx.update(tasks).set({ sessionStatus }).where(eq(tasks.id, task.id)).run());
  return task.id;
}

const LIVE: SessionStatus[] = ["pending", "provisioning", "running", "waiting_for_input"];
const ENDED = SESSION_STATUSES.filter((status) => !LIVE.includes(status));

describe.each(LIVE)("while the session is %s", (sessionStatus) => {
  test.each(["backlog", "done"])("the card can't move to %s", async (status) => {
    const id = await taskWithSession(sessionStatus);
    expectFailure(await board.server.patch(`/api/tasks/${id}`, { status }), "conflict", "still running");
  });

  test("the card can't be deleted", async () => {
    const id = await taskWithSession(sessionStatus);
    expectFailure(await board.server.delete(`/api/tasks/${id}`), "conflict", "still running");
  });

  test("the card can be renamed, pinned and moved within its column", async () => {
    const id = await taskWithSession(sessionStatus);
    const patch = { title: "Renamed", pinned: true, position: "a5" };
    const { status, body } = await board.server.patch(`/api/tasks/${id}`, patch);
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: "Renamed", status: "active", sessionStatus });
  });

  test("its agent can't be exchanged", async () => {
    const id = await taskWithSession(sessionStatus);
    const change = (agent: string) => board.server.patch(`/api/tasks/${id}`, { agent });
    expectFailure(await change("shell"), "conflict", "still running; stop it, then choose another");
    expect((await change("claude")).status).toBe(200); // which it is
  });

  test("its project can't be deleted", async () => {
    using repository = await TestRepository.create();
    const project = await board.server.post<ProjectRow>("/api/projects", { path: repository.path });
    await taskWithSession(sessionStatus, project.body.id);
    const answer = await board.server.delete(`/api/projects/${project.body.id}`);
    expectFailure(answer, "conflict", "still running");
  });
});

describe.each(ENDED)("once the session is %s", (sessionStatus) => {
  test("the card is given to another agent, moves and is deleted freely", async () => {
    const id = await taskWithSession(sessionStatus);
    expect((await board.server.patch(`/api/tasks/${id}`, { agent: "shell" })).status).toBe(200);
    expect((await board.server.patch(`/api/tasks/${id}`, { status: "done" })).status).toBe(200);
    expect((await board.server.delete(`/api/tasks/${id}`)).status).toBe(200);
  });
});

test("session logs are listed newest first, and only the task's own", async () => {
  const [mine, other] = [await board.addTask(), await board.addTask()];
  const log = (id: string, taskId: string, hour: number) => ({
    id,
    taskId,
    startedAt: `2026-01-01T0${hour}:00:00.000Z`,
    endedAt: `2026-01-01T0${hour}:30:00.000Z`,
    exitStatus: "done" as const,
  });
  store.write((tx) =>
    tx
      .insert(sessionLogs)
      .values([
        log("old", mine.id, 1),
        log("new", mine.id, 3),
        log("mid", mine.id, 2),
        log("else", other.id, 4),
      ])
      .run(),
  );
  const { status, body } = await board.server.get<SessionLog[]>(`/api/tasks/${mine.id}/session-logs`);
  expect(status).toBe(200);
  expect(body.map(({ id }) => id)).toEqual(["new", "mid", "old"]);
  expect(body[0]).toEqual({
    ...log("new", mine.id, 3),
    error: null,
    branch: null,
    agentSessionId: null,
    exitCode: null,
    exitSignal: null,
    sessionId: null,
    snapshotRef: null,
    lastReply: null,
    costUsd: null,
    model: null,
    archivedAt: null,
    archiveNumber: null,
    archivedFor: null,
    trash: null,
    purgedAt: null,
  });
});
