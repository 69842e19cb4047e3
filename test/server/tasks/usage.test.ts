import { afterAll, beforeAll, expect, test } from "bun:test";
import { openStore } from "../../../src/db/open.ts";
import { sessionLogs } from "../../../src/db/schema.ts";
import type { UsageReport } from "../../../src/server/tasks/usage.ts";
import { expectFailure, TestBoard } from "../../support/board.ts";

let board: TestBoard;
beforeAll(async () => {
  board = await TestBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test("adds up what ended sessions cost, per task and per day", async () => {
  const [cheap, dear] = [await board.addTask({ title: "Cheap" }), await board.addTask({ title: "Dear" })];
  const store = openStore(board.server.database);
  const spent = (taskId: string, days: number, costUsd: number | null) => ({
    id: crypto.randomUUID(),
    taskId,
    startedAt: daysAgo(days),
    endedAt: daysAgo(days),
    exitStatus: "done" as const,
    costUsd,
  });
  store.write((tx) =>
    tx
      .insert(sessionLogs)
      .values([
        spent(cheap.id, 0, 0.25),
        spent(dear.id, 0, 2),
        spent(dear.id, 1, 3),
        spent(dear.id, 1, null),
        spent(dear.id, 40, 100),
      ])
      .run(),
  );
  store.close();

  const { status, body } = await board.server.get<UsageReport>("/api/usage?days=3");
  expect(status).toBe(200);
  expect(body).toEqual({
    totalUsd: 5.25,
    days: [
      { date: daysAgo(2).slice(0, 10), costUsd: 0, tasks: [] },
      { date: daysAgo(1).slice(0, 10), costUsd: 3, tasks: [{ taskId: dear.id, costUsd: 3 }] },
      {
        date: daysAgo(0).slice(0, 10),
        costUsd: 2.25,
        tasks: [
          { taskId: dear.id, costUsd: 2 },
          { taskId: cheap.id, costUsd: 0.25 },
        ],
      },
    ],
    tasks: [
      { taskId: dear.id, projectId: board.project.id, title: "Dear", costUsd: 5, sessions: 2 },
      { taskId: cheap.id, projectId: board.project.id, title: "Cheap", costUsd: 0.25, sessions: 1 },
    ],
  });
  expect((await board.server.get<UsageReport>("/api/usage")).body.days).toHaveLength(30);
  const own = await board.server.get<UsageReport>(`/api/usage?days=90&projectId=${board.project.id}`);
  expect(own.body.totalUsd).toBe(105.25);
});

test("says what is wrong with a question that makes no sense", async () => {
  expectFailure(await board.server.get("/api/usage?days=0"), "invalid", "days");
  expectFailure(await board.server.get("/api/usage?days=x"), "invalid", "days");
  expectFailure(await board.server.get("/api/usage?projectId=nope"), "not_found", "project");
});
