// What a new worktree is given before its agent begins: a word about it, and the project's setup command.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UNPRIVILEGED } from "../../support/program.ts";
import { TestRepository } from "../../support/repository.ts";
import { LASTING, SessionBoard } from "../../support/sessions.ts";
import { TestViewer } from "../../support/viewer.ts";

setDefaultTimeout(30_000);

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

test("what a person should know about the new worktree is said in its terminal, before the agent begins", async () => {
  using repository = await TestRepository.create("with-submodules");
  writeFileSync(join(repository.path, ".gitmodules"), "");
  await repository.git("add", ".gitmodules");
  await repository.git("commit", "--quiet", "--message", "submodules");
  const { body } = await board.server.post<{ id: string }>("/api/projects", { path: repository.path });
  const { id } = await board.addTask("echo the agent; exec sleep 1000", { projectId: body.id });
  await board.act(id, "start");
  using viewer = TestViewer.open(board.server, id, { plain: true });
  await viewer.sees("the agent");
  expect(viewer.text()).toMatch(/^banto: The submodules are empty, .*\r\n\r\nthe agent/);
});

test("a file to be copied that banto may not read is said there too, and the others are copied", async () => {
  await using own = await SessionBoard.start({}, UNPRIVILEGED);
  const { path } = own.board.repository;
  writeFileSync(join(path, ".gitignore"), "*.key\n");
  writeFileSync(join(path, ".worktreeinclude"), "*.key\n");
  for (const name of ["a.key", "b.key", "c.key"]) writeFileSync(join(path, name), name);
  chmodSync(join(path, "b.key"), 0);
  const { id } = await own.addTask("ls *.key; echo the agent; exec sleep 1000");
  await own.act(id, "start");
  using viewer = TestViewer.open(own.server, id, { plain: true });
  await viewer.sees("the agent");
  expect(viewer.text()).toMatch(
    /^banto: b\.key could not be read and was not copied\.\r\n\r\na\.key\s+c\.key\r\n/,
  );
});

describe("the project's setup command", () => {
  async function inProject(setupCommand: string, script: string) {
    const repository = await TestRepository.create("with-setup");
    const { body } = await board.server.post<{ id: string }>("/api/projects", {
      path: repository.path,
      setupCommand,
    });
    const task = await board.addTask(script, { projectId: body.id });
    expect((await board.act(task.id, "start")).status).toBe(202);
    return { task, repository };
  }

  test("runs first, in the same terminal", async () => {
    const { task, repository } = await inProject(
      "echo prepared > ready",
      "cat ready; echo the agent; exec sleep 1000",
    );
    using _ = repository;
    using viewer = TestViewer.open(board.server, task.id);
    await viewer.sees("the agent");
    const { worktreePath } = await board.task(task.id);
    expect(readFileSync(join(worktreePath ?? "", "ready"), "utf8")).toBe("prepared\n");
  });

  test("is not run in a worktree that was made before there was one", async () => {
    using repository = await TestRepository.create("without-setup");
    const { body } = await board.server.post<{ id: string }>("/api/projects", { path: repository.path });
    const { id } = await board.addTask("echo on; exec sleep 1000", { projectId: body.id });
    await board.act(id, "start");
    await board.settled(id);
    await board.act(id, "stop");
    await board.ended(id);
    await board.server.patch(`/api/projects/${body.id}`, { setupCommand: "touch set-up; exit 1" });
    expect((await board.act(id, "resume")).status).toBe(202);
    const { worktreePath } = await board.until(id, ({ sessionStatus }) => sessionStatus === "running");
    expect(existsSync(join(worktreePath ?? "", "set-up"))).toBe(false);
  });

  test("is run by a resume until it has succeeded, and then no more", async () => {
    const { task, repository } = await inProject(
      "echo once >> runs; echo begun; while [ ! -e go ]; do sleep 0.02; done",
      LASTING,
    );
    using _ = repository;
    const stop = async () => {
      await board.act(task.id, "stop");
      return (await board.ended(task.id)).worktreePath ?? "";
    };
    const resume = async () => {
      expect((await board.act(task.id, "resume")).status).toBe(202);
      using viewer = TestViewer.open(board.server, task.id);
      await viewer.sees("resumed");
    };
    {
      using viewer = TestViewer.open(board.server, task.id);
      await viewer.sees("begun\r\n");
    }
    const worktree = await stop();
    writeFileSync(join(worktree, "go"), "");
    for (const runs of [2, 2]) {
      await resume();
      expect(readFileSync(join(worktree, "runs"), "utf8")).toBe("once\n".repeat(runs));
      await stop();
    }
    // As it was put away, also after it came back.
    await board.act(task.id, "complete");
    await board.restore(task.id);
    await board.server.patch(`/api/tasks/${task.id}`, { status: "active" });
    await resume();
    expect(readFileSync(join(worktree, "runs"), "utf8")).toBe("once\nonce\n");
  });

  test("fails the session when it fails, with what it said", async () => {
    const { task, repository } = await inProject(
      "echo no such tool >&2; exit 3",
      "echo never > never; exec sleep 1000",
    );
    using _ = repository;
    const { sessionStatus, sessionError, worktreePath } = await board.ended(task.id);
    expect(sessionStatus).toBe("failed");
    expect(sessionError).toContain("code 3");
    expect(sessionError).toContain("no such tool");
    expect(existsSync(join(worktreePath ?? "", "never"))).toBe(false);
  });
});
