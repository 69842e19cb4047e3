// What is cleared away at a start: the work of a server that was killed, which nobody carries on with.

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SessionBoard } from "../../support/sessions.ts";

setDefaultTimeout(30_000);

/** A process id that none has. */
const ENDED = 4_194_305;

test("the branch of a start that was lost in a power cut goes, and the task can begin anew", async () => {
  await using board = await SessionBoard.start();
  const { repository } = board.board;
  const { id } = await board.addTask();
  const branches = () => repository.git("branch", "--list", "--format=%(refname:short)", "banto/*");
  await board.server.arm("start:branched");
  await board.act(id, "start").catch(() => {}); // it may be answered just before
  while ((await branches()) === "") await Bun.sleep(5);
  await board.server.kill("SIGKILL");
  const database = new Database(board.server.database);
  database.run("DELETE FROM operations");
  database.run("UPDATE tasks SET session_status = NULL, session_operation = NULL, session_id = NULL");
  database.close();
  await board.server.restart();
  expect(await branches()).toBe("");
  expect(board.server.output).toMatch(/deleted the branch banto\/\S+: it was empty/);
  await board.act(id, "start");
  const { branch } = await board.until(id, ({ sessionStatus }) => sessionStatus === "running");
  expect(await branches()).toBe(branch ?? "");
});

test("files that were being written go, a person's of the same name stay", async () => {
  await using board = await SessionBoard.start();
  const task = await board.running();
  await board.act(task.id, "complete");
  const [log] = await board.logs(task.id);
  const running = await board.running();
  await board.server.kill("SIGKILL");
  const write = (name: string) => {
    const path = resolve(board.server.dataDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "half");
    return path;
  };
  const git = join(board.board.repository.path, ".git");
  const half = [
    "clock.json.new",
    "identity.json.new",
    "token.new",
    "run/0000000000000001.json.new",
    "run/0000000000000001.last.new",
    `worktrees/.${task.id}.json.new`,
    `trash/${log?.trash}/record.json.new`,
    "run/0000000000000001.exit.tmp",
    `run/0000000000000001.claim.${ENDED}`,
    `${git}/worktrees/${running.id}/index.new`,
    `${git}/banto/trash/${log?.trash}/${task.id}/banto.json.new`,
  ].map(write);
  const stay = [
    `trash/${log?.trash}/worktree/mine.json.new`,
    "worktrees/mine/x.json.new",
    "banto.db.new",
    `run/${running.sessionId}.exit.tmp`, // its host runs
    `run/0000000000000001.claim.${process.pid}`,
  ].map(write);
  await board.server.restart();
  expect(half.filter(existsSync)).toEqual([]);
  expect(stay.filter(existsSync)).toEqual(stay);
});
