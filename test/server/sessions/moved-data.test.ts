// A data directory that was moved while no server ran.

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { gitIn } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";
import { expectWork, leaveWork, type Work } from "../../support/work.ts";

setDefaultTimeout(30_000);

/** Two tasks that were worked on and stopped, then the data directory elsewhere. */
async function moved(meanwhile: (board: SessionBoard) => void = () => {}) {
  const board = await SessionBoard.start();
  const tasks: { task: TaskRow; work: Work }[] = [];
  for (let n = 0; n < 2; n += 1) {
    const task = await board.running();
    tasks.push({ task, work: await leaveWork(task.worktreePath ?? "") });
    await board.act(task.id, "stop");
    await board.ended(task.id);
  }
  await board.server.kill("SIGKILL");
  meanwhile(board);
  board.server.moveData("moved");
  await board.server.restart();
  return { board, first: tasks[0] as (typeof tasks)[0], second: tasks[1] as (typeof tasks)[0] };
}

/** As a banto before this one left it: with the path in full. */
const YOUNGER = [
  ["projects", "agent"],
  ["projects", "other_options"],
  ["tasks", "other_options"],
  ["tasks", "prompts"],
] as const;

function withFullPaths({ server }: SessionBoard) {
  using database = new Database(server.database);
  database.run("UPDATE tasks SET worktree_path = ? || '/worktrees/' || id WHERE worktree_path IS NOT NULL", [
    server.dataDir,
  ]);
  // Which are younger still.
  database.run("ALTER TABLE session_logs DROP COLUMN archive_number");
  database.run("DROP TABLE audit_entries");
  for (const [table, column] of YOUNGER) database.run(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  const youngest = "(SELECT created_at FROM __drizzle_migrations ORDER BY created_at DESC LIMIT 5)";
  database.run(`DELETE FROM __drizzle_migrations WHERE created_at IN ${youngest}`);
}

for (const [whose, meanwhile] of [
  ["", () => {}],
  [" that an older banto wrote", withFullPaths],
] as const) {
  test(`the worktrees of a data directory${whose} that was moved are put away whole, and come back`, async () => {
    const { board, first, second } = await moved(meanwhile);
    await using _ = board;
    const { task, work } = first;
    const place = join(board.server.dataDir, "worktrees", task.id);
    expect(await board.task(task.id)).toMatchObject({ worktreePath: place, branch: task.branch });
    await expectWork(place, work);
    await board.act(task.id, "retry");
    await board.until(
      task.id,
      ({ sessionStatus, branch }) => sessionStatus === "running" && branch !== task.branch,
    );
    expect((await board.logs(task.id)).map(({ archivedFor }) => archivedFor)).toEqual(["retry"]);
    await expectWork(await board.restore(task.id), work);
    expect((await board.act(second.task.id, "complete")).status).toBe(200);
    const back = await board.restore(second.task.id);
    expect(back).toBe(join(board.server.dataDir, "worktrees", second.task.id));
    await expectWork(back, second.work);
    expect(await gitIn(back, "branch", "--show-current")).toBe(second.task.branch ?? "");
  });
}

test("git finds the worktrees of a data directory that was moved, and one in one", async () => {
  let inner = "";
  const { board, first } = await moved(({ board: { repository }, server }) => {
    const [{ id }] = new Database(server.database).query("SELECT id FROM tasks ORDER BY rowid").all() as [
      TaskRow,
    ];
    inner = join(id, "inner");
    Bun.spawnSync(["git", "worktree", "add", "-q", "--detach", join(server.dataDir, "worktrees", inner)], {
      cwd: repository.path,
    });
  });
  await using _ = board;
  const listed = await gitIn(board.board.repository.path, "worktree", "list", "--porcelain");
  expect(listed).not.toContain("prunable");
  expect(listed).toContain(`worktree ${join(board.server.dataDir, "worktrees", inner)}\n`);
  expect(listed).toContain(`worktree ${join(board.server.dataDir, "worktrees", first.task.id)}\n`);
});

test("agents go on while their data directory is moved, and are taken back", async () => {
  await using board = await SessionBoard.start();
  const task = await board.running("echo on; while :; do pwd > where; sleep 0.05; done");
  await board.server.kill("SIGKILL");
  board.server.moveData("moved");
  await board.server.restart();
  const place = join(board.server.dataDir, "worktrees", task.id);
  expect(await board.task(task.id)).toMatchObject({ sessionStatus: "running", worktreePath: place });
  writeFileSync(join(place, "left"), "behind");
  expect((await board.act(task.id, "complete")).status).toBe(200);
  expect(board.processesOf(task.id)).toEqual([]);
  expect(readFileSync(join(await board.restore(task.id), "left"), "utf8")).toBe("behind");
});
