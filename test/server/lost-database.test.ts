// Whatever is wrong with the database, a start says so in one line, changes nothing and ends nothing.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, copyFileSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TaskRow } from "../../src/server/tasks/task-row.ts";
import { environment, run, SHIPPED_SERVER } from "../support/program.ts";
import { SessionBoard } from "../support/sessions.ts";

setDefaultTimeout(30_000);

let board: SessionBoard;
let task: TaskRow;
let database: string;
let whole: string;
beforeAll(async () => {
  board = await SessionBoard.startShipped();
  task = await board.running();
  for (let n = 0; n < 40; n += 1) await board.addTask("x".repeat(4_000));
  await board.server.kill("SIGTERM");
  database = board.server.database;
  whole = join(board.server.home, "whole.db");
  copyFileSync(database, whole);
});
afterAll(() => board[Symbol.asyncDispose]());

/** Ends by itself; one that serves after all is ended. */
const start = () =>
  run(
    ["timeout", "10", ...SHIPPED_SERVER],
    environment(board.server.home, { BANTO_DATA_DIR: board.server.dataDir }),
  );

async function expectRefusal(...says: (string | RegExp)[]) {
  const { code, stdout, stderr } = await start();
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(/^banto: /)]);
  for (const text of says) expect(stderr).toMatch(text);
  expect(board.agentsOf(task.id).length).toBe(1);
}

/** The server that is started again has everything. */
async function expectWhole() {
  copyFileSync(whole, database);
  await board.server.restart();
  expect(await board.task(task.id)).toMatchObject({ sessionStatus: "running", sessionId: task.sessionId });
  await board.server.kill("SIGTERM");
}

test("one that is gone is missed where there are worktrees and agents", async () => {
  rmSync(database);
  await expectRefusal(database, "is missing", /1 worktree.*1 running agent/, "no backup", "BANTO_DATA_DIR");
  await expectWhole();
});

test("one that is empty too, and the newest backup is named", async () => {
  const backup = join(board.server.dataDir, "banto.db.before");
  copyFileSync(whole, backup);
  truncateSync(database, 0);
  await expectRefusal("is empty", `newest backup is ${backup}`);
  rmSync(database);
  new Database(database, { create: true }).run("CREATE TABLE other (id)");
  await expectRefusal("is empty", `newest backup is ${backup}`);
  rmSync(backup);
  await expectWhole();
});

test("one of a newer banto is left to that", async () => {
  const newer = new Database(database);
  newer.run("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)");
  newer.run("PRAGMA user_version = 7008009");
  newer.close();
  await expectRefusal(database, "banto 7.8.9", /this is banto \d+\.\d+\.\d+/, /update banto/);
  await expectWhole();
});

test("one with a damaged page says so, and the newest backup is named", async () => {
  const pages = new Database(database, { readonly: true }).query(
    "SELECT rootpage FROM sqlite_schema WHERE name = 'tasks'",
  );
  const { rootpage } = pages.get() as { rootpage: number };
  const file = openSync(database, "r+");
  writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (rootpage - 1) * 4096);
  closeSync(file);
  await expectRefusal(database, "is damaged", "no backup", /\.recover/);
  await expectWhole();
});

test("a lock that is not banto's is named, and what to do about it", async () => {
  const lock = join(board.server.dataDir, "lock");
  writeFileSync(lock, "garbage that is no database, though it is long enough to be one. ".repeat(20));
  await expectRefusal(lock, /is not what banto writes.*delete it/);
  const login = await run(
    [...SHIPPED_SERVER, "login"],
    environment(board.server.home, { BANTO_DATA_DIR: board.server.dataDir }),
  );
  expect(login.stderr).toMatch(/^banto: .*is not what banto writes.*delete it.*\n$/);
  rmSync(lock);
  await expectWhole();
});
