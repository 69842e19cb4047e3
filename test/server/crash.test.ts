import { expect, test } from "bun:test";
import type { TaskRow } from "../../src/server/tasks/task-row.ts";
import { TestBoard } from "../support/board.ts";
import { readDatabase } from "../support/database.ts";
import { DEPTH } from "../support/depth.ts";

const WRITERS = 8;

/** The last row the server acknowledged, and what the write under way would make of it. */
interface Entry {
  row: TaskRow;
  pending?: ((row: TaskRow) => boolean) | undefined;
}

/** Everything that was acknowledged, and how many creations were under way when the server died. */
class Ledger {
  readonly entries = new Map<string, Entry>();
  acknowledged = 0;
  unanswered = 0;
  #waiting: { count: number; resolve: () => void } | undefined;

  count() {
    this.acknowledged += 1;
    if (this.#waiting !== undefined && this.acknowledged >= this.#waiting.count) this.#waiting.resolve();
  }

  reaches(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { count, resolve };
    });
  }
}

/** Creates, changes, moves, deletes and restores tasks of its own until the server is gone. */
async function writeUntilDeath(board: TestBoard, ledger: Ledger): Promise<void> {
  const { server } = board;
  const own: Entry[] = [];

  async function create(number: number) {
    ledger.unanswered += 1;
    const body = {
      projectId: board.project.id,
      title: `Task ${number}`,
      description: "d".repeat(number * 10),
    };
    const answer = await server.post<TaskRow>("/api/tasks", body);
    ledger.unanswered -= 1;
    expect(answer.status).toBe(201);
    const entry = { row: answer.body };
    own.push(entry);
    ledger.entries.set(answer.body.id, entry);
    ledger.count();
  }

  async function change(entry: Entry, number: number) {
    const path = `/api/tasks/${entry.row.id}`;
    const title = `Title ${number}`;
    const [method, target, body, pending] = (
      entry.row.deletedAt !== null
        ? ["POST", `${path}/restore`, undefined, (row: TaskRow) => row.deletedAt === null]
        : [
            ["PATCH", path, { title }, (row: TaskRow) => row.title === title],
            ["PATCH", path, { status: "active", position: "a5" }, (row: TaskRow) => row.status === "active"],
            [
              "PATCH",
              path,
              { status: "done", pinned: true },
              (row: TaskRow) => row.status === "done" && row.pinned,
            ],
            ["DELETE", path, undefined, (row: TaskRow) => row.deletedAt !== null],
          ][number % 4]
    ) as [string, string, object | undefined, (row: TaskRow) => boolean];
    entry.pending = pending;
    const answer = await server.request<TaskRow>(method, target, { body });
    expect(answer.status).toBe(200);
    entry.row = answer.body;
    entry.pending = undefined;
    ledger.count();
  }

  for (let number = 0; ; number += 1) {
    const entry = own[(number * 7) % (own.length + 1)];
    await (entry === undefined ? create(number) : change(entry, number));
  }
}

const isConnectionLost = (error: unknown) =>
  ["ECONNRESET", "ECONNREFUSED"].includes((error as { code?: string }).code ?? "");

test("kill -9 in a stream of parallel writes loses nothing that was acknowledged", async () => {
  await using board = await TestBoard.start();
  const ledger = new Ledger();
  for (let round = 0; round < DEPTH.killsWhileWriting; round += 1) {
    const enough = ledger.reaches(ledger.acknowledged + 1 + ((round * 37) % 150));
    const writers = Array.from({ length: WRITERS }, () => writeUntilDeath(board, ledger));
    const ends = Promise.allSettled(writers);
    await enough;
    await board.server.kill("SIGKILL");
    for (const end of await ends) {
      if (end.status === "rejected" && !isConnectionLost(end.reason)) throw end.reason;
    }
    await board.server.restart();

    const { integrity, tasks } = readDatabase(board.server);
    expect(integrity).toEqual([["ok"]]);
    const rows = new Map(tasks.map((row) => [row.id, row]));
    for (const [id, entry] of ledger.entries) {
      const row = rows.get(id);
      if (row === undefined || !entry.pending?.(row)) expect(row).toEqual(entry.row);
      else entry.row = row;
      entry.pending = undefined;
    }
    expect(rows.size - ledger.entries.size).toBeLessThanOrEqual(ledger.unanswered);
    const onBoard = (await board.server.get<TaskRow[]>("/api/tasks")).body;
    expect(onBoard.length).toBe(tasks.filter(({ deletedAt }) => deletedAt === null).length);
    for (const status of ["backlog", "active", "done"]) {
      const positions = onBoard.filter((task) => task.status === status).map(({ position }) => position);
      expect(new Set(positions).size).toBe(positions.length);
    }
  }
  expect(ledger.acknowledged).toBeGreaterThan(DEPTH.killsWhileWriting * 20);
}, 120_000);
