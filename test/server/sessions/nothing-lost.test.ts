import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure } from "../../support/board.ts";
import { ageArchives } from "../../support/database.ts";
import { gitIn } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";
import { expectWork, leaveWork, type Work } from "../../support/work.ts";

setDefaultTimeout(30_000);

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

async function withWork(): Promise<{ task: TaskRow; work: Work }> {
  const task = await board.running();
  return { task, work: await leaveWork(task.worktreePath ?? "") };
}

async function retried({ id, branch: before }: TaskRow): Promise<void> {
  await board.act(id, "retry");
  await board.until(id, ({ sessionStatus, branch }) => sessionStatus === "running" && branch !== before);
}

/** A running session where something lay in its worktree's place. */
async function withSomethingInTheWay(): Promise<{ task: TaskRow; folder: string }> {
  const { id } = await board.addTask();
  const place = join(board.server.dataDir, "worktrees", id);
  mkdirSync(place);
  writeFileSync(join(place, "notes"), "not to be lost");
  await board.act(id, "start");
  const task = await board.until(
    id,
    ({ sessionStatus, sessionOperation }) => sessionStatus === "running" && sessionOperation === null,
  );
  return { task, folder: join(board.server.dataDir, "trash", task.sessionId ?? "") };
}

const trash = async () => (await board.server.get<{ id: string; taskId: string }[]>("/api/trash")).body;

describe("everything in a worktree can be brought back byte for byte", () => {
  test("after a retry", async () => {
    const { task, work } = await withWork();
    await retried(task);
    await expectWork(await board.restore(task.id), work);
  });

  test("after completing, in its own place and on its own branch", async () => {
    const { task, work } = await withWork();
    await board.act(task.id, "complete");
    const path = await board.restore(task.id);
    expect(path).toBe(task.worktreePath ?? "");
    await expectWork(path, work);
    expect(await board.task(task.id)).toMatchObject({
      worktreePath: path,
      branch: task.branch,
      sessionStatus: null,
    });
    expect(await gitIn(path, "branch", "--show-current")).toBe(task.branch ?? "");
  });

  test("after completing, restoring, resuming and completing again", async () => {
    const { task, work } = await withWork();
    await board.act(task.id, "complete");
    await board.restore(task.id);
    await board.server.patch(`/api/tasks/${task.id}`, { status: "active" });
    expect((await board.act(task.id, "resume")).status).toBe(202);
    const resumed = await board.until(task.id, ({ sessionStatus }) => sessionStatus === "running");
    expect(resumed.agentSessionId).toBe(task.agentSessionId);
    await expectWork(task.worktreePath ?? "", work);
    await board.act(task.id, "complete");
    await expectWork(await board.restore(task.id), work);
  });

  test("after an older worktree was brought back, its task deleted, and that undone", async () => {
    const { task, work } = await withWork();
    await retried(task);
    await board.act(task.id, "complete");
    const oldest = (await board.logs(task.id)).at(-1);
    await expectWork(await board.restore(task.id, oldest), work);
    await board.server.delete(`/api/tasks/${task.id}`);
    await board.server.post(`/api/tasks/${task.id}/restore`);
    const { worktreePath } = await board.task(task.id);
    await expectWork(worktreePath ?? "", work);
  });

  test("after a retry and a deletion between which the clock was put back", async () => {
    const { task } = await withWork();
    await retried(task);
    ageArchives(board.server, -1, task.id); // the first worktree was put away tomorrow
    await board.act(task.id, "stop");
    const { worktreePath, branch } = await board.ended(task.id);
    const work = await leaveWork(worktreePath ?? "");
    await board.server.delete(`/api/tasks/${task.id}`);
    await board.server.post(`/api/tasks/${task.id}/restore`);
    expect(await board.task(task.id)).toMatchObject({ worktreePath, branch });
    await expectWork(worktreePath ?? "", work);
    await board.act(task.id, "complete");
    ageArchives(board.server, -1, task.id, "retry");
    await board.server.post(`/api/tasks/${task.id}/reopen`);
    expect((await board.settled(task.id)).branch).toBe(branch);
  });

  test("after deleting the task and undoing that", async () => {
    const { task, work } = await withWork();
    await board.act(task.id, "stop");
    await board.ended(task.id);
    expect((await board.server.delete(`/api/tasks/${task.id}`)).status).toBe(200);
    const { status, body } = await board.server.post<TaskRow>(`/api/tasks/${task.id}/restore`);
    expect(status).toBe(200);
    expect(body.worktreePath).toBe(task.worktreePath ?? "");
    await expectWork(body.worktreePath ?? "", work);
  });

  test("after the server and the host were killed", async () => {
    await using own = await SessionBoard.start();
    const task = await own.running();
    const work = await leaveWork(task.worktreePath ?? "");
    await own.server.kill("SIGKILL");
    own.killHost(task);
    await own.server.restart();
    await own.ended(task.id);
    await expectWork((await own.task(task.id)).worktreePath ?? "", work);
    await expectWork(await own.restore(task.id), work);
    await own.act(task.id, "complete");
    await expectWork(await own.restore(task.id), work);
  });

  test("after deleting the project and undoing that", async () => {
    await using own = await SessionBoard.start();
    const task = await own.running();
    const work = await leaveWork(task.worktreePath ?? "");
    const project = `/api/projects/${task.projectId}`;
    expectFailure(await own.server.delete(project), "conflict", /still running/);
    await own.act(task.id, "stop");
    await own.ended(task.id);
    expect((await own.server.delete(project)).status).toBe(200);
    expect((await own.server.post(`${project}/restore`)).status).toBe(200);
    const back = await own.until(
      task.id,
      ({ worktreePath, sessionOperation }) => worktreePath !== null && sessionOperation === null,
    );
    await expectWork(back.worktreePath ?? "", work);
  });
});

describe("a snapshot is of the worktree as it was put away last", () => {
  const inSnapshot = async (id: string, file: string) => {
    const [log] = await board.logs(id);
    return gitIn(board.board.repository.path, "show", `${log?.snapshotRef}:${file}`);
  };

  test("after a first try that could not move it to the trash", async () => {
    const { task } = await withWork();
    const folder = join(board.server.dataDir, "trash");
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, "in the way");
    expectFailure(await board.act(task.id, "complete"), "conflict", /couldn.t be archived/);
    rmSync(folder);
    renameSync(`${folder}-away`, folder);
    writeFileSync(join(task.worktreePath ?? "", "later"), "worked on");
    expect((await board.act(task.id, "complete")).status).toBe(200);
    expect(await inSnapshot(task.id, "later")).toBe("worked on");
  });

  test("after it was deleted for good, which deletes none that no session names", async () => {
    const { task } = await withWork();
    await board.act(task.id, "complete");
    await board.restore(task.id);
    await board.act(task.id, "complete");
    const [log] = await board.logs(task.id);
    expect((await board.server.delete(`/api/trash/${log?.trash}`)).status).toBe(204);
    const { path } = board.board.repository;
    // An older backup of the database would not name the first one either.
    expect(await gitIn(path, "for-each-ref", "--format=%(refname)", `refs/banto/${task.id}`)).toBe(
      `refs/banto/${task.id}/1`,
    );
    await board.server.patch(`/api/tasks/${task.id}`, { status: "active" });
    await board.act(task.id, "start");
    const { worktreePath } = await board.until(task.id, ({ sessionStatus }) => sessionStatus === "running");
    writeFileSync(join(worktreePath ?? "", "later"), "worked on");
    await board.act(task.id, "complete");
    expect(await inSnapshot(task.id, "later")).toBe("worked on");
  });
});

describe("the trash", () => {
  test("lists what was put away, until when it is kept, and is emptied by hand", async () => {
    const { task } = await withWork();
    await board.act(task.id, "complete");
    const entry = (await trash()).find(({ taskId }) => taskId === task.id);
    expect(entry).toMatchObject({ title: task.title, branch: task.branch, archivedFor: "complete" });
    const folder = join(board.server.dataDir, "trash", entry?.id ?? "");
    expect(existsSync(folder)).toBe(true);
    expect((await board.server.delete(`/api/trash/${entry?.id}`)).status).toBe(204);
    expect(existsSync(folder)).toBe(false);
    expect((await trash()).some(({ taskId }) => taskId === task.id)).toBe(false);
    expect(await gitIn(board.board.repository.path, "for-each-ref", `refs/banto/${task.id}`)).toBe("");
    expect(await gitIn(board.board.repository.path, "branch", "--list", task.branch ?? "")).not.toBe("");
    const [log] = await board.logs(task.id);
    expectFailure(
      await board.server.post(`/api/tasks/${task.id}/session-logs/${log?.id}/restore`),
      "conflict",
      /permanently deleted/,
    );
    expectFailure(await board.server.delete(`/api/trash/${entry?.id}`), "not_found", /archived worktree/);
  });

  test("lists what was in the way of a new worktree, and brings it back beside that", async () => {
    const { task, folder } = await withSomethingInTheWay();
    const entry = (await trash()).find(({ taskId }) => taskId === task.id);
    expect(entry).toMatchObject({ title: task.title, archivedFor: "aside", branch: null });
    const log = (await board.logs(task.id)).find(({ trash }) => trash === entry?.id);
    const path = await board.restore(task.id, log);
    expect(path).not.toBe(task.worktreePath ?? "");
    expect(readFileSync(join(path, "notes"), "utf8")).toBe("not to be lost");
    expect(existsSync(folder)).toBe(false);
    expect((await trash()).some(({ taskId }) => taskId === task.id)).toBe(false);
    expect((await board.task(task.id)).worktreePath).toBe(task.worktreePath);
  });

  test("keeps only copies until somebody deletes them, and says of each why", async () => {
    await using own = await SessionBoard.start();
    const { repository } = own.board;
    const archived = async (prepare: (task: TaskRow) => unknown = () => {}) => {
      const task = await own.running();
      await prepare(task);
      expect((await own.act(task.id, "complete")).status).toBe(200);
      return task;
    };
    const nothingBelow = ({ id }: TaskRow) => repository.git("update-ref", `refs/banto/${id}`, "main");
    const fifo = ({ worktreePath }: TaskRow) => Bun.spawnSync(["mkfifo", join(worktreePath ?? "", "pipe")]);
    const unreadable = ({ worktreePath }: TaskRow) => {
      fifo({ worktreePath } as TaskRow);
      mkdirSync(join(worktreePath ?? "", ".GIT"));
      writeFileSync(join(worktreePath ?? "", ".GIT/x"), "refused by git");
    };
    const whole = await archived();
    const none = await archived(nothingBelow);
    const partial = await archived(unreadable);
    const gone = await archived();
    await repository.git("update-ref", "-d", `refs/banto/${gone.id}/1`);
    const damaged = await archived(({ worktreePath }) =>
      writeFileSync(join(worktreePath ?? "", "work"), "only"),
    );
    const blob = await repository.git("rev-parse", `refs/banto/${damaged.id}/1:work`);
    rmSync(join(repository.path, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    const aside = await own.addTask();
    mkdirSync(join(own.server.dataDir, "worktrees", aside.id));
    writeFileSync(join(own.server.dataDir, "worktrees", aside.id, "notes"), "not to be lost");
    await own.act(aside.id, "start");
    await own.until(aside.id, ({ sessionStatus }) => sessionStatus === "running");
    const list = async () =>
      (await own.server.get<{ taskId: string; purgesAt: string | null; kept: string | null }[]>("/api/trash"))
        .body;
    const reasons = async () => Object.fromEntries((await list()).map(({ taskId, kept }) => [taskId, kept]));
    const only = {
      [none.id]: "no_snapshot",
      [partial.id]: "partial",
      [gone.id]: "snapshot_gone",
      [aside.id]: "aside",
    };
    expect(await reasons()).toEqual({ ...only, [whole.id]: null, [damaged.id]: null });
    await own.server.kill("SIGTERM");
    ageArchives(own.server, 31);
    await own.server.restart();
    while ((await list()).some(({ taskId }) => taskId === whole.id)) await Bun.sleep(10);
    while ((await reasons())[damaged.id] === null) await Bun.sleep(10);
    expect(await reasons()).toEqual({ ...only, [damaged.id]: "snapshot_damaged" });
    expect((await list()).every(({ purgesAt }) => purgesAt === null)).toBe(true);
    expect(own.server.output).toContain(`the trash: deleted the worktree of ${JSON.stringify(whole.title)}`);
    const path = await own.restore(damaged.id);
    expect(readFileSync(join(path, "work"), "utf8")).toBe("only");
  });

  test("is not emptied by a clock that jumped, before somebody says that it is right", async () => {
    await using own = await SessionBoard.start();
    const task = await own.running();
    await own.act(task.id, "complete");
    const early = await own.running();
    await own.act(early.id, "complete");
    await own.server.kill("SIGTERM");
    ageArchives(own.server, 31, task.id);
    ageArchives(own.server, 56 * 365, early.id); // by a clock that was not set yet
    const file = join(own.server.dataDir, "clock.json");
    const clock = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...clock, seenAt: clock.seenAt - 31 * 86_400_000 }));
    await own.server.restart();
    const state = async () => ({
      entries: (await own.server.get<unknown[]>("/api/trash")).body.length,
      clock: (await own.server.get<{ doubtedSince: string | null }>("/api/trash/clock")).body.doubtedSince,
    });
    while (!own.server.output.includes("nothing is deleted")) await Bun.sleep(10);
    expect(await state()).toEqual({ entries: 2, clock: expect.any(String) });
    await own.server.restart(); // which is no person
    expect(await state()).toEqual({ entries: 2, clock: expect.any(String) });
    expect((await own.server.post("/api/trash/clock")).status).toBe(204);
    while ((await state()).entries > 1) await Bun.sleep(10);
    expect(await state()).toEqual({ entries: 1, clock: null });
    const [entry] = (await own.server.get<{ taskId: string; purgesAt: string }[]>("/api/trash")).body;
    expect(entry?.taskId).toBe(early.id);
    expect(Date.parse(entry?.purgesAt ?? "")).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  });

  test("is all that is left of a worktree that was put away: the repository's own list is clean", async () => {
    const { task } = await withWork();
    await board.act(task.id, "complete");
    const { path } = board.board.repository;
    expect(await gitIn(path, "worktree", "list", "--porcelain")).not.toContain(task.id);
    expect(await gitIn(path, "worktree", "prune", "--verbose", "--dry-run")).toBe("");
    expect(
      await gitIn(path, "switch", task.branch ?? "").then(() => gitIn(path, "switch", "-q", "main")),
    ).toBe("");
    expect(readdirSync(join(board.server.dataDir, "worktrees"))).not.toContain(task.id);
  });
});

test("the repository's configuration, hooks and other worktrees are as before", async () => {
  const { path } = board.board.repository;
  const other = await board.board.repository.linkedWorktree("mine");
  const state = async () => ({
    config: readFileSync(join(path, ".git/config"), "utf8"),
    hasHooks: existsSync(join(path, ".git/hooks")),
    head: await gitIn(path, "symbolic-ref", "HEAD"),
    status: await gitIn(path, "status", "--porcelain"),
    other: await gitIn(other, "status", "--porcelain", "--branch"),
  });
  const before = await state();
  const { task, work } = await withWork();
  await retried(task);
  await board.act(task.id, "complete");
  await expectWork(await board.restore(task.id, (await board.logs(task.id)).at(-1)), work);
  expect(await state()).toEqual(before);
});
