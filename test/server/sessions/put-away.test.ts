// What is in the way of putting a worktree away takes nothing from it, and nothing from the next try.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { StoredFile } from "../../../src/server/files/task-files.ts";
import { expectFailure } from "../../support/board.ts";
import { refuseSuccess } from "../../support/database.ts";
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

/** A file in the folder of those that the task was given. */
async function fileBeside(id: string, name: Buffer): Promise<Buffer> {
  const body = new TextEncoder().encode("given");
  const path = `/api/tasks/${id}/files?name=given.txt`;
  const given = (await board.server.request<StoredFile>("POST", path, { body })).body;
  const file = Buffer.concat([Buffer.from(`${dirname(given.path)}/`), name]);
  writeFileSync(file, "beside");
  return file;
}

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

test("a file whose name is no text goes to the trash with the others and comes back with them", async () => {
  const task = await board.running();
  const odd = await fileBeside(task.id, Buffer.from([0x63, 0xe9]));
  expect((await board.act(task.id, "complete")).status).toBe(200);
  expect(existsSync(odd)).toBe(false);
  await board.restore(task.id);
  expect(readFileSync(odd, "utf8")).toBe("beside");
});

test("a folder of given files that can't be taken away is no reason to keep the worktree", async () => {
  const task = await board.running();
  const work = await leaveWork(task.worktreePath ?? "");
  const file = await fileBeside(task.id, Buffer.from("beside.txt"));
  {
    using _ = closed(board.server.inData("files"));
    expect((await board.act(task.id, "complete")).status).toBe(200);
  }
  await expectWork(await board.restore(task.id), work);
  expect(readFileSync(file, "utf8")).toBe("beside");
});

test("a worktree that is in the trash before that can be written down is in the history all the same", async () => {
  const task = await board.running();
  const work = await leaveWork(task.worktreePath ?? "");
  {
    using _ = refuseSuccess(board.server);
    expect((await board.act(task.id, "complete")).status).toBe(500);
  }
  expect(await board.settled(task.id)).toMatchObject({ status: "done", worktreePath: null });
  await expectWork(await board.restore(task.id), work);
});

test("a worktree with a folder that banto may not read is kept until somebody deletes it", async () => {
  const task = await board.running();
  const folder = `${task.worktreePath}/closed`;
  mkdirSync(folder);
  writeFileSync(`${folder}/work`, "precious");
  chmodSync(folder, 0);
  expect((await board.act(task.id, "complete")).status).toBe(200);
  const { body } =
    await board.server.get<{ id: string; taskId: string; purgesAt: string | null }[]>("/api/trash");
  const entry = body.find(({ taskId }) => taskId === task.id);
  expect(entry?.purgesAt).toBeNull();
  expect((await board.server.delete(`/api/trash/${entry?.id}`)).status).toBe(204);
});
