// Snapshots in a person's repository: what they cost, when they go, and which ones never do.

import { expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Freed } from "../../../src/server/git/snapshots/free-space.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure } from "../../support/board.ts";
import { ageArchives } from "../../support/database.ts";
import type { TestRepository } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";

setDefaultTimeout(60_000);

const BYTES = 200_000;

interface Listed {
  ref: string;
  name: string;
  taskId: string;
  bytes: number | null;
  expiresAt: string | null;
  kept: string | null;
}

/** A task with so many snapshots, each with a new file of its own; the last worktree is in the trash too. */
async function archivedOften(board: SessionBoard, times: number): Promise<TaskRow> {
  const task = await board.running();
  for (let n = 1; n <= times; n += 1) {
    const { branch } = await board.task(task.id);
    writeFileSync(join(task.worktreePath ?? "", "untracked"), randomBytes(BYTES));
    if (n === times) break;
    await board.act(task.id, "retry");
    await board.until(task.id, (now) => now.sessionStatus === "running" && now.branch !== branch);
  }
  expect((await board.act(task.id, "complete")).status).toBe(200);
  return task;
}

/** Makes every snapshot older by so many days, and one of them by a clock that was not set yet. */
async function ageSnapshots(repository: TestRepository, days: number, early: string): Promise<void> {
  const refs = (await repository.git("for-each-ref", "--format=%(refname)", "refs/banto/")).split("\n");
  for (const ref of refs) {
    const text = await repository.git("cat-file", "commit", ref);
    const aged = text.replace(
      /^(committer .*> )(\d+)/m,
      (_all, who, at) => `${who}${ref === early ? 1_000_000 : Number(at) - days * 86_400}`,
    );
    const file = repository.beside("aged");
    writeFileSync(file, `${aged}\n`);
    await repository.git("update-ref", ref, await repository.git("hash-object", "-t", "commit", "-w", file));
  }
}

const list = async (board: SessionBoard) => (await board.server.get<Listed[]>("/api/snapshots")).body;

test("are listed with what they take, and can be removed by hand", async () => {
  await using board = await SessionBoard.start();
  const { repository } = board.board;
  const task = await archivedOften(board, 2);
  let all = await list(board);
  while (all.some(({ bytes }) => bytes === null)) all = await list(board);
  expect(all.map(({ ref }) => ref)).toEqual([`refs/banto/${task.id}/2`, `refs/banto/${task.id}/1`]);
  for (const { bytes } of all) expect(Math.abs((bytes ?? 0) - BYTES)).toBeLessThan(20_000);
  expect(all.map(({ kept, expiresAt }) => [kept, expiresAt])).toEqual([
    ["newest", null],
    ["in_trash", null],
  ]);
  const trash = async () =>
    (await board.server.get<{ bytes: number | null; kept: string | null }[]>("/api/trash")).body;
  while ((await trash()).some(({ bytes }) => bytes === null)) await Bun.sleep(10);
  for (const { bytes } of await trash()) expect(bytes).toBeGreaterThan(BYTES);

  expect((await board.server.delete(`/api/snapshots/${task.id}/1`)).status).toBe(204);
  expect((await list(board)).map(({ name }) => name)).toEqual(["2"]);
  expect(await repository.git("for-each-ref", "--format=%(refname)", "refs/banto/")).toBe(
    `refs/banto/${task.id}/2`,
  );
  expect((await trash()).map(({ kept }) => kept)).toEqual([null, "snapshot_gone"]);
  for (const name of ["1", "..%2f..%2fheads%2fmain", "x"]) {
    expectFailure(await board.server.delete(`/api/snapshots/${task.id}/${name}`), "not_found", /snapshot/);
  }
  expect(await repository.git("rev-parse", "--verify", "main")).not.toBe("");
  const { status, body } = await board.server.post<Freed>(`/api/projects/${task.projectId}/collect`);
  expect(status).toBe(200);
  expect(body.laterBytes).toBeGreaterThan(BYTES); // it was written a moment ago
});

test("go after 90 days, but for a task's newest, only copies, and those of a worktree in the trash", async () => {
  await using board = await SessionBoard.start();
  const { repository } = board.board;
  const [often, unmerged, partial] = [
    await archivedOften(board, 4),
    await archivedOften(board, 1),
    await archivedOften(board, 2),
  ];
  await board.server.kill("SIGTERM");
  await repository.git("update-ref", `refs/banto/${partial.id}/1-partial`, `refs/banto/${partial.id}/1`);
  await repository.git("update-ref", "-d", `refs/banto/${partial.id}/1`);
  // Of a commit that no branch has any more a snapshot is the only copy.
  const commit = await repository.git("commit-tree", "main^{tree}", "-p", "main", "-m", "on no branch");
  const text = await repository.git("cat-file", "commit", `refs/banto/${often.id}/1`);
  const file = repository.beside("own");
  writeFileSync(
    file,
    `${text.replace(/^Head: .*$/m, `Head: ${commit}`).replace(/^parent \w+/m, `parent ${commit}`)}\n`,
  );
  await repository.git(
    "update-ref",
    `refs/banto/${often.id}/1`,
    await repository.git("hash-object", "-t", "commit", "-w", file),
  );
  await repository.git("update-ref", "refs/banto/somebody-elses/1", "main");
  ageArchives(board.server, 31);
  const early = `refs/banto/${often.id}/3`;
  await ageSnapshots(repository, 89, early);
  await board.server.restart();
  while (
    ((await board.server.get<{ kept: string | null }[]>("/api/trash")).body ?? []).some(
      ({ kept }) => kept === null,
    )
  )
    await Bun.sleep(10);
  const names = async () =>
    (await repository.git("for-each-ref", "--format=%(refname)", "refs/banto/")).split("\n").sort();
  const before = await names();
  const due = (await list(board)).find(({ ref }) => ref === `refs/banto/${often.id}/2`);
  expect(due?.kept).toBeNull();
  expect(Math.abs(Date.parse(due?.expiresAt ?? "") - Date.now() - 86_400_000)).toBeLessThan(60_000);
  await board.server.kill("SIGTERM");
  await ageSnapshots(repository, 2, early);
  await board.server.restart({ BANTO_SNAPSHOT_DAYS: "0" });
  while (!board.server.output.includes("banto ready")) await Bun.sleep(10);
  expect(await names()).toEqual(before);
  await board.server.restart();
  while ((await names()).includes(`refs/banto/${often.id}/2`)) await Bun.sleep(10);
  expect(await names()).toEqual(before.filter((ref) => ref !== `refs/banto/${often.id}/2`));
  expect((await list(board)).map(({ ref, kept }) => [ref, kept])).toEqual(
    expect.arrayContaining([
      [`refs/banto/${often.id}/4`, "newest"],
      [early, null],
      [`refs/banto/${often.id}/1`, "only_copy"],
      [`refs/banto/${unmerged.id}/1`, "newest"],
    ]),
  );
  expect(board.server.output).toContain(`snapshots: deleted refs/banto/${often.id}/2`);
});
