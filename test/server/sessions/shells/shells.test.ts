import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLOSE } from "../../../../src/contract.ts";
import { readProcess } from "../../../../src/host/processes/processes.ts";
import type { ShellRow } from "../../../../src/server/sessions/shells/shell.ts";
import type { TaskRow } from "../../../../src/server/tasks/task-row.ts";
import { expectFailure } from "../../../support/board.ts";
import { TerminalBoard } from "../../../support/terminal-board.ts";

let terminals: TerminalBoard;
beforeAll(async () => {
  terminals = await TerminalBoard.startHere();
});
afterAll(() => terminals[Symbol.asyncDispose]());

const at = (task: TaskRow, id = "") => `/api/tasks/${task.id}/shells${id && `/${id}`}`;
const list = async (task: TaskRow) => (await terminals.server.get<ShellRow[]>(at(task))).body;
const names = async (task: TaskRow) => (await list(task)).map(({ name }) => name);
const runFile = (name: string) => join(terminals.server.dataDir, "run", name);

async function open(task: TaskRow, body?: unknown): Promise<ShellRow> {
  const answer = await terminals.server.post<ShellRow>(at(task), body);
  expect(answer.status).toBe(201);
  return answer.body;
}

test("a shell runs in the task's worktree, with a terminal like the agent's", async () => {
  const task = await terminals.addWorktree();
  const shell = await open(task);
  expect(shell).toMatchObject({
    taskId: task.id,
    name: "Shell 1",
    order: 0,
    title: "",
    cols: 80,
    rows: 24,
    exit: null,
  });
  expect(readProcess(shell.pid ?? 0)?.pid).toBe(shell.pid ?? 0);
  expect(Date.parse(shell.startedAt)).toBeGreaterThan(Date.now() - 60_000);
  const viewer = terminals.watch(`${task.id}/shells/${shell.id}`, { query: { cols: 100, rows: 30 } });
  await viewer.live();
  viewer.type("echo dir=$PWD task=$BANTO_TASK_ID shell=$BANTO_SESSION_ID term=$TERM\r");
  await viewer.sees(`dir=${terminals.worktree.path} task=${task.id} shell=${shell.id} term=xterm-256color`);
  const base = `/api/tasks/${task.id}/shells/${shell.id}/terminal`;
  expect((await terminals.server.post(`${base}/input`, { text: "stty size", submit: true })).status).toBe(
    204,
  );
  await viewer.sees("30 100");
  expect((await terminals.server.post(`${base}/resize`, { cols: 90, rows: 20 })).status).toBe(204);
  const { body } = await terminals.server.get<{ text: string }>(`${base}/screen`);
  expect(body).toMatchObject({ cols: 90, rows: 20, text: expect.stringContaining("dir=") });
});

test("shells have names and an order, which can be changed", async () => {
  const task = await terminals.addWorktree();
  const [one, two, three] = [await open(task), await open(task, { name: "  tests " }), await open(task, {})];
  expect(await names(task)).toEqual(["Shell 1", "tests", "Shell 2"]);
  const patch = (shell: ShellRow, body: unknown) =>
    terminals.server.patch<ShellRow>(at(task, shell.id), body);
  expect((await patch(three, { order: 0 })).body).toMatchObject({ name: "Shell 2", order: 0 });
  expect(await names(task)).toEqual(["Shell 2", "Shell 1", "tests"]);
  expect((await patch(three, { name: "build 日本 🎉", order: 16 })).body.order).toBe(2);
  expect(await names(task)).toEqual(["Shell 1", "tests", "build 日本 🎉"]);
  await patch(one, { order: 1 });
  expect((await list(task)).map(({ id, order }) => [id, order])).toEqual([
    [two.id, 0],
    [one.id, 1],
    [three.id, 2],
  ]);
  for (const body of [
    { name: "" },
    { name: " " },
    { name: "a\nb" },
    { name: "\x1b[2J" },
    { name: "x".repeat(61) },
    { name: 1 },
    { order: -1 },
    { order: 0.5 },
    { order: "1" },
    { title: "x" },
  ]) {
    expectFailure(await patch(one, body), "invalid", /./);
  }
  expectFailure(await terminals.server.post(at(task), { name: "a\0b" }), "invalid", /NUL/);
});

test("closing a shell ends everything it started and leaves nothing behind", async () => {
  const task = await terminals.addWorktree();
  const shell = await open(task);
  const viewer = terminals.watch(`${task.id}/shells/${shell.id}`);
  await viewer.live();
  viewer.type("setsid sh -c 'echo started $$; exec sleep 600' &\r");
  await viewer.when(() => /started (\d+)/.test(viewer.text()), "the child");
  const child = Number(/started (\d+)/.exec(viewer.text())?.[1]);
  expect((await terminals.server.delete(at(task, shell.id))).status).toBe(204);
  await viewer.expectClose(CLOSE.ended);
  expect(await list(task)).toEqual([]);
  const isAlive = (pid: number | null) => !["Z", undefined].includes(readProcess(pid ?? 0)?.state);
  expect([isAlive(shell.pid), isAlive(child)]).toEqual([false, false]);
  expect(readdirSync(runFile("")).filter((name) => name.startsWith(shell.id))).toEqual([]);
  expectFailure(await terminals.server.delete(at(task, shell.id)), "not_found", /shell/);
});

test("closed twice at once, a shell is closed once", async () => {
  const task = await terminals.addWorktree();
  const shell = await open(task);
  const answers = await Promise.all([1, 2, 3].map(() => terminals.server.delete(at(task, shell.id))));
  expect(answers.map(({ status }) => status).every((status) => status === 204 || status === 404)).toBe(true);
  expect(answers.some(({ status }) => status === 204)).toBe(true);
  expect(await list(task)).toEqual([]);
});

test("a shell that has ended by itself stays, with how it ended, until it is closed", async () => {
  const task = await terminals.addWorktree();
  const shell = await open(task);
  const viewer = terminals.watch(`${task.id}/shells/${shell.id}`);
  await viewer.live();
  viewer.type("exit 4\r");
  expect(await viewer.control("exit")).toEqual({ type: "exit", code: 4, signal: null });
  expect((await list(task))[0]?.exit).toEqual({ code: 4, signal: null });
  expect((await terminals.server.delete(at(task, shell.id))).status).toBe(204);
  expect(await list(task)).toEqual([]);
});

describe("a shell is refused", () => {
  test("to a task without a worktree, or with one that is not there any more", async () => {
    const task = await terminals.board.addTask();
    expectFailure(await terminals.server.post(at(task)), "conflict", /worktree/);
    await terminals.setTask(task.id, { worktreePath: join(terminals.worktree.path, "nowhere") });
    expectFailure(await terminals.server.post(at(task)), "conflict", /nowhere/);
    expectFailure(await terminals.server.post("/api/tasks/nope/shells"), "not_found", /nope/);
    expectFailure(await terminals.server.get("/api/tasks/nope/shells"), "not_found", /nope/);
  });

  test("while the worktree is being prepared or put away", async () => {
    const task = await terminals.addWorktree();
    await terminals.setTask(task.id, { sessionOperation: "archive" });
    expectFailure(await terminals.server.post(at(task)), "conflict", /Try again/);
    await terminals.setTask(task.id, { sessionOperation: null });
    await open(task);
  });

  test("to a task that has sixteen, also when they are asked for all at once", async () => {
    const task = await terminals.addWorktree();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => terminals.server.post<ShellRow>(at(task))),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBe(16);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused) expectFailure(answer, "too_many", /16/);
    const rows = await list(task);
    expect(rows.map(({ order }) => order)).toEqual(Array.from({ length: 16 }, (_, i) => i));
    expect(new Set(rows.map(({ name }) => name)).size).toBe(16);
    await Promise.all(rows.map(({ id }) => terminals.server.delete(at(task, id))));
    expect(await list(task)).toEqual([]);
  }, 60_000);

  test("under another task's address", async () => {
    const [mine, other] = [await terminals.addWorktree(), await terminals.addWorktree()];
    const shell = await open(mine);
    expectFailure(await terminals.server.patch(at(other, shell.id), { name: "x" }), "not_found", /shell/);
    expectFailure(await terminals.server.delete(at(other, shell.id)), "not_found", /shell/);
    await terminals.watch(`${other.id}/shells/${shell.id}`).expectClose(CLOSE.noSession);
  });
});

test("everybody hears of a shell that is opened, renamed, titled, ended and closed", async () => {
  using events = await terminals.server.events();
  await events.next();
  const task = await terminals.addWorktree();
  const shell = await open(task);
  const next = async (holds: (row: Record<string, unknown>) => boolean) =>
    (await events.until(({ type, data }) => type === "session" && data.id === shell.id && holds(data))).at(-1)
      ?.data;
  expect(await next(() => true)).toMatchObject({
    kind: "shell",
    taskId: task.id,
    name: "Shell 1",
    deletedAt: null,
  });
  await terminals.server.patch(at(task, shell.id), { name: "other" });
  await next(({ name }) => name === "other");
  const input = (text: string) =>
    terminals.server.post(`/api/tasks/${task.id}/shells/${shell.id}/terminal/input`, { text, submit: true });
  await input("printf '\\033]0;busy\\007'");
  await next(({ title }) => title === "busy");
  await input("exit 3");
  expect((await next(({ exit }) => exit !== null))?.exit).toEqual({ code: 3, signal: null });
  await terminals.server.delete(at(task, shell.id));
  await next(({ deletedAt }) => deletedAt !== null);
});

test("shells outlive the server, kill -9 included, with names and order; dead ones are cleared away", async () => {
  await using other = await TerminalBoard.start();
  const task = await other.addWorktree();
  const post = async (body?: unknown) => (await other.server.post<ShellRow>(at(task), body)).body;
  const [one, two, dead] = [await post(), await post({ name: "tests" }), await post({ name: "doomed" })];
  const newer = await post({ name: "lost" });
  await other.server.patch(at(task, two.id), { order: 0 });
  const type = (text: string) =>
    other.server.post(`${at(task, one.id)}/terminal/input`, { text, submit: true });
  await type("remember=me");
  const run = join(other.server.dataDir, "run");
  expect(statSync(run).mode & 0o777).toBe(0o700);
  writeFileSync(join(run, "0000000000000001.json"), "{ not json");
  writeFileSync(join(run, `${newer.id}.json`), '{"written by a newer banto":true}');
  await other.server.kill("SIGKILL");
  const hostOfDead = readProcess(dead.pid ?? 0)?.parent ?? 0;
  process.kill(hostOfDead, "SIGKILL");
  await other.server.restart();
  const rows = (await other.server.get<ShellRow[]>(at(task))).body;
  expect(rows.map(({ id, name, order }) => [id, name, order])).toEqual([
    [two.id, "tests", 0],
    [one.id, "Shell 1", 1],
    [newer.id, "Shell 2", 2],
  ]);
  expect(rows[2]?.pid).toBe(newer.pid);
  expect(existsSync(join(run, `${dead.id}.json`))).toBe(false);
  expect(existsSync(join(run, "0000000000000001.json"))).toBe(false);
  const viewer = other.watch(`${task.id}/shells/${one.id}`);
  await viewer.live();
  viewer.type("echo still $remember\r");
  await viewer.sees("still me");
  await other.server.restart();
  expect((await other.server.get<ShellRow[]>(at(task))).body.length).toBe(3);
}, 60_000);
