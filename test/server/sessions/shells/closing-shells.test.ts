// A shell takes its time to end when what runs in it does not want to; the server may be stopped meanwhile.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readProcess } from "../../../../src/host/processes/processes.ts";
import type { ShellRow } from "../../../../src/server/sessions/shells/shell.ts";
import type { TaskRow } from "../../../../src/server/tasks/task-row.ts";
import { until } from "../../../host/support/host.ts";
import { SessionBoard } from "../../../support/sessions.ts";
import { TestViewer } from "../../../support/viewer.ts";

const isAlive = (pid: number | null) => !["Z", undefined].includes(readProcess(pid ?? 0)?.state);

/** A shell whose program notes that it was hung up on, and goes on. */
async function openStubborn({ server }: SessionBoard, task: TaskRow): Promise<ShellRow> {
  const { body: shell } = await server.post<ShellRow>(`/api/tasks/${task.id}/shells`);
  using viewer = TestViewer.open(server, `${task.id}/shells/${shell.id}`);
  await viewer.live();
  viewer.type(
    `exec sh -c 'trap ": > hung-up" HUP; trap "" TERM; echo rea""dy; while :; do sleep 0.05; done'\r`,
  );
  await viewer.sees("ready");
  return shell;
}

/** As SIGTERM has to; not by waiting for it, which would be for ever. */
async function stopServer({ server }: SessionBoard): Promise<void> {
  const { pid } = server;
  process.kill(pid, "SIGTERM");
  await until(() => !isAlive(pid), "the server to stop", 5_000);
}

test("a server that is stopped while it closes a shell stops in time, and finds the shell again", async () => {
  await using board = await SessionBoard.start({ SHELL: "/bin/sh" });
  const task = await board.running();
  const shell = await openStubborn(board, task);
  const path = `/api/tasks/${task.id}/shells/${shell.id}`;
  const closing = board.server.delete(path).catch(() => {}); // cut off with the server
  await until(() => existsSync(join(task.worktreePath ?? "", "hung-up")), "the shell to be told");
  await stopServer(board);
  await closing;
  await board.server.restart();
  expect((await board.server.delete(path)).status).toBe(204);
  expect(isAlive(shell.pid)).toBe(false);
}, 30_000);

test("one that is stopped while a task is completed does so too, and completes it when it is back", async () => {
  await using board = await SessionBoard.start({ SHELL: "/bin/sh" });
  const task = await board.running();
  const shell = await openStubborn(board, task);
  const completing = board.act(task.id, "complete").catch(() => {});
  await until(() => existsSync(join(task.worktreePath ?? "", "hung-up")), "the shell to be told");
  await stopServer(board);
  await completing;
  expect(existsSync(task.worktreePath ?? "")).toBe(true);
  await board.server.restart();
  expect(await board.settled(task.id)).toMatchObject({ status: "done", worktreePath: null });
  expect(isAlive(shell.pid)).toBe(false);
}, 30_000);
