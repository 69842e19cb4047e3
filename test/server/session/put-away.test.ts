// What is in the way of putting a worktree away takes nothing from it, and nothing from the next try.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { expectFailure } from "../../support/board.ts";
import { UNPRIVILEGED } from "../../support/program.ts";
import { gitIn } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";
import { expectWork, leaveWork } from "../../support/work.ts";

setDefaultTimeout(60_000);

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.start({}, UNPRIVILEGED);
});
afterAll(() => board[Symbol.asyncDispose]());

/** Takes the right to write to a folder away. */
function closed(folder: string): Disposable {
  const { mode } = statSync(folder);
  chmodSync(folder, 0o555);
  return { [Symbol.dispose]: () => chmodSync(folder, mode) };
}

for (const [what, folderOf] of [
  ["a worktree that may not be moved", (path: string) => path],
  ["a worktree in a folder that may not be changed", dirname],
] as const) {
  test(`${what} stays as it is, and is put away whole once it may be`, async () => {
    const task = await board.running();
    const path = task.worktreePath ?? "";
    const work = await leaveWork(path);
    {
      using _ = closed(folderOf(path));
      expectFailure(await board.act(task.id, "complete"), "conflict", /stays where it is.*permissions/);
    }
    await expectWork(path, work);
    expect(await gitIn(path, "branch", "--show-current")).toBe(task.branch ?? "");
    expect((await board.act(task.id, "complete")).status).toBe(200);
    const [log] = await board.logs(task.id);
    expect(log?.snapshotRef).toStartWith(`refs/banto/${task.id}/`);
    await expectWork(await board.restore(task.id), work);
    expect(await gitIn(path, "branch", "--show-current")).toBe(task.branch ?? "");
    expect(readdirSync(board.server.inData("trash"))).toEqual([]);
  });
}
