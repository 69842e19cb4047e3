// A data directory and a copy of it: git knows their worktrees once, so only one of the two goes on.

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identify } from "../../src/server/identity.ts";
import { environment, runServer } from "../support/program.ts";
import { gitIn } from "../support/repository.ts";
import { SessionBoard } from "../support/sessions.ts";

setDefaultTimeout(30_000);

/** A task that was worked on, and a copy of everything beside the data directory; no server runs. */
async function copied(script?: string) {
  const board = await SessionBoard.startShipped();
  const task = await board.running(script);
  writeFileSync(join(task.worktreePath ?? "", "left"), "behind");
  if (script === undefined) {
    await board.act(task.id, "stop");
    await board.ended(task.id);
    await board.hostGone(task);
  }
  await board.server.kill("SIGTERM");
  const original = board.server.dataDir;
  const copy = join(board.server.home, "copy");
  Bun.spawnSync(["cp", "-a", original, copy]);
  const start = (dataDir: string, ...args: string[]) =>
    runServer(environment(board.server.home, { BANTO_DATA_DIR: dataDir }), ...args);
  return { board, task, original, copy, start };
}

const worktrees = (board: SessionBoard) =>
  gitIn(board.board.repository.path, "worktree", "list", "--porcelain");

test("a copy says that it is one and changes nothing, and its original goes on", async () => {
  const { board, task, original, copy, start } = await copied();
  await using _ = board;
  const before = await worktrees(board);
  const { code, stdout, stderr } = await start(copy);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain(`${copy} is a copy of the data directory ${original}`);
  expect(stderr).toContain("BANTO_DATA_DIR");
  expect(stderr).toContain("--go-on-here");
  expect(await worktrees(board)).toBe(before);
  await board.server.restart();
  expect((await board.act(task.id, "complete")).status).toBe(200);
  expect(readFileSync(join(await board.restore(task.id), "left"), "utf8")).toBe("behind");
});

test("a copy that is told to go on has the worktrees, and its original no longer starts", async () => {
  const { board, task, original, copy, start } = await copied();
  await using _ = board;
  board.server.use(copy);
  await board.server.restartWith("--go-on-here");
  expect(await worktrees(board)).toContain(`worktree ${join(copy, "worktrees", task.id)}\n`);
  expect((await board.act(task.id, "complete")).status).toBe(200);
  expect(await board.restore(task.id)).toBe(join(copy, "worktrees", task.id));
  const { code, stderr } = await start(original);
  expect(code).toBe(1);
  expect(stderr).toContain(`BANTO_DATA_DIR to it; to go on with ${original}`);
  expect(readFileSync(join(original, "worktrees", task.id, "left"), "utf8")).toBe("behind");
});

test("a copy that an older banto made knows its original, and where that was moved to", async () => {
  const { board, task, original, copy } = await copied();
  await using _ = board;
  const identity = readFileSync(join(copy, "identity.json"));
  rmSync(join(copy, "identity.json"));
  {
    using database = new Database(join(copy, "banto.db"));
    database.run(`UPDATE tasks SET worktree_path = '${original}/worktrees/' || id`);
  }
  const isOf = (path: string) => `${copy} is a copy of the data directory ${path}`;
  await expect(identify(copy)).rejects.toThrow(isOf(original));
  writeFileSync(join(copy, "identity.json"), identity);
  board.server.moveData("moved");
  await board.server.restart();
  await expect(identify(copy)).rejects.toThrow(isOf(board.server.dataDir));
  expect(await worktrees(board)).toContain(`worktree ${join(board.server.dataDir, "worktrees", task.id)}\n`);
});

test("a copy does not go on while anything runs on its original, and ends none of it", async () => {
  const { board, task, original, copy, start } = await copied("echo on; exec sleep 1000");
  await using _ = board;
  expect((await start(copy, "--go-on-here")).stderr).toContain("agents still run");
  const moved = join(board.server.home, "moved");
  renameSync(original, moved);
  expect((await start(copy)).stderr).toContain("whose agents are still running");
  renameSync(moved, original);
  await board.server.restart();
  expect((await start(copy, "--go-on-here")).stderr).toContain("a banto runs");
  expect(await board.task(task.id)).toMatchObject({ sessionStatus: "running" });
  expect(board.agentsOf(task.id).length).toBe(1);
});

test("a directory that was renamed is no copy, though a copy of it lies where it was", async () => {
  const { board, original, copy, start } = await copied();
  await using _ = board;
  const renamed = join(board.server.home, "renamed");
  renameSync(original, renamed);
  cpSync(copy, original, { recursive: true });
  const { code, stderr } = await start(renamed);
  expect(code).toBe(1);
  expect(stderr).toContain(`${original} is a copy of the data directory ${renamed}`);
});
