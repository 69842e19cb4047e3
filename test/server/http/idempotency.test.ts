import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../../../src/contract.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure } from "../../support/board.ts";
import { ageKeys, readDatabase, readKeys, refuseKeys } from "../../support/database.ts";
import type { Answer } from "../../support/server.ts";
import { LASTING, SessionBoard } from "../../support/sessions.ts";

setDefaultTimeout(60_000);

let board: SessionBoard;
beforeAll(async () => {
  board = await SessionBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

let count = 0;
const newKey = () => `key ${++count}`;

const send = <T = TaskRow>(method: string, path: string, key: string, body?: unknown, own = board) =>
  own.server.request<T>(method, path, { body, headers: { "idempotency-key": key } });

const create = (key: string, title: string, own = board) =>
  send("POST", "/api/tasks", key, { projectId: own.board.project.id, title }, own);

const titled = async (title: string, own = board) =>
  (await own.board.column("backlog")).filter((task) => task.title === title);

const same = ({ status, body }: Answer<unknown>) => ({ status, body });

const died = async (request: Promise<unknown>) => expect(request).rejects.toThrow();

describe("the same key again", () => {
  test("is answered the same, and nothing is done a second time", async () => {
    const key = newKey();
    const first = await create(key, "Once");
    expect(first.status).toBe(201);
    await board.server.patch(`/api/tasks/${first.body.id}`, { description: "changed since" });
    const second = await create(key, "Once");
    expect(same(second)).toEqual(same(first));
    expect(second.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect(await titled("Once")).toHaveLength(1);
  });

  test("holds for every kind of answer", async () => {
    const { id } = await board.addTask();
    for (const [method, path, body] of [
      ["PATCH", `/api/tasks/${id}`, { title: "Renamed" }],
      ["POST", `/api/tasks/${id}/session/start`, undefined],
      ["POST", `/api/tasks/${id}/session/stop`, undefined],
      ["POST", `/api/tasks/${id}/complete`, undefined],
      ["DELETE", `/api/tasks/${id}`, undefined],
      ["POST", `/api/tasks/${id}/restore`, undefined],
    ] as const) {
      const key = newKey();
      const first = await send(method, path, key, body);
      expect(first.status).toBeLessThan(300);
      expect(same(await send(method, path, key, body))).toEqual(same(first));
    }
  });

  test("types no text twice", async () => {
    const { id } = await board.running("echo on; cat");
    const key = newKey();
    const type = () => send("POST", `/api/tasks/${id}/terminal/input`, key, { text: "once.", submit: true });
    expect(same(await type())).toEqual({ status: 204, body: "" as never });
    expect(same(await type())).toEqual({ status: 204, body: "" as never });
    await board.server.post(`/api/tasks/${id}/terminal/input`, { text: "end", submit: true });
    for (;;) {
      const { body } = await board.server.get<{ text: string }>(`/api/tasks/${id}/terminal/screen`);
      if ((body.text.match(/end/g) ?? []).length < 2) continue;
      expect(body.text.match(/once\./g)).toHaveLength(2); // typed, and said by cat
      break;
    }
  });

  test("opens one shell", async () => {
    const { id } = await board.running();
    const key = newKey();
    const open = () => send<{ id: string }>("POST", `/api/tasks/${id}/shells`, key);
    const first = await open();
    expect(same(await open())).toEqual(same(first));
    expect((await board.server.get<unknown[]>(`/api/tasks/${id}/shells`)).body).toHaveLength(1);
  });

  test("is refused for another body or another route", async () => {
    const key = newKey();
    const { body } = await create(key, "This");
    for (const other of [
      create(key, "That"),
      send("DELETE", `/api/tasks/${body.id}`, key),
      send("PATCH", `/api/tasks/${body.id}`, key, { title: "This" }),
    ]) {
      expectFailure(await other, "invalid", /belongs to another request/);
    }
    expect(await titled("That")).toEqual([]);
    expect(await titled("This")).toHaveLength(1);
  });

  test("may be tried again after a refusal", async () => {
    const { id } = await board.addTask(LASTING, { status: "backlog" });
    const key = newKey();
    const start = () => send("POST", `/api/tasks/${id}/session/start`, key);
    expectFailure(await start(), "invalid", /Move the task to Active first/);
    await board.server.patch(`/api/tasks/${id}`, { status: "active" });
    const typed = newKey();
    const type = () => send("POST", `/api/tasks/${id}/terminal/input`, typed, { text: "x" });
    expect((await type()).status).toBeGreaterThanOrEqual(400); // nothing runs yet
    expect((await start()).status).toBe(202);
    await board.until(id, ({ sessionStatus }) => sessionStatus === "running");
    expect((await type()).status).toBe(204);
  });

  test("waits for the answer of one that is under way", async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(key, "At once")));
    for (const answer of answers) expect(same(answer)).toEqual(same(answers[0] as Answer<TaskRow>));
    expect(await titled("At once")).toHaveLength(1);

    const task = await board.running();
    const completed = newKey();
    const complete = () => send("POST", `/api/tasks/${task.id}/complete`, completed);
    const [first, second] = await Promise.all([complete(), complete()]);
    expect(first).toMatchObject({ status: 200, body: { status: "done", worktreePath: null } });
    expect(same(second)).toEqual(same(first));
  });

  test("takes over from one under way that is refused", async () => {
    const { id } = await board.board.addTask({ agent: "script" });
    const key = newKey();
    const path = `/api/tasks/${id}/session/start`;
    const answers = await Promise.all([send("POST", path, key), send("POST", path, key)]);
    for (const answer of answers) expectFailure(answer, "invalid", /Move the task to Active first/);
  });

  test("is on disk together with the change, or neither is", async () => {
    const task = await board.running();
    const key = newKey();
    const complete = () => send("POST", `/api/tasks/${task.id}/complete`, key);
    {
      using _full = refuseKeys(board.server);
      expect((await create(newKey(), "Neither")).status).toBe(500);
      expect((await complete()).status).toBe(500);
    }
    expect(await titled("Neither")).toEqual([]);
    const { status, sessionStatus, sessionOperation, worktreePath } = task;
    const before = { status, sessionStatus, sessionOperation, worktreePath };
    expect(await board.task(task.id)).toMatchObject(before);
    expect((await complete()).status).toBe(200);
  });

  test("is forgotten after a day", async () => {
    const key = newKey();
    await create(key, "Daily");
    ageKeys(board.server, 0.99);
    await create(key, "Daily");
    expect(await titled("Daily")).toHaveLength(1);
    ageKeys(board.server, 0.02);
    expect((await create(key, "Daily")).status).toBe(201);
    expect(await titled("Daily")).toHaveLength(2);
    expect((await create(key, "Daily")).status).toBe(201);
    expect(await titled("Daily")).toHaveLength(2);
  });

  test("leaves nothing behind after a day", async () => {
    await using own = await SessionBoard.start();
    await create("old", "Old", own);
    ageKeys(own.server, 1.01);
    await create("new", "New", own);
    await own.server.restart();
    expect(readKeys(own.server).map(({ key }) => key)).toEqual(["new"]);
  });
});

describe("a key", () => {
  for (const [what, key] of [
    ["that is too long", "k".repeat(LIMITS.idempotencyKey + 1)],
    ["that is empty", ""],
    ["in other characters", "schlüssel"],
  ] as const) {
    test(`${what} is refused`, async () => {
      const answer = await create(key, "Refused");
      expectFailure(answer, "malformed", "Idempotency-Key: must be 1 to 100 printable ASCII characters.");
      expect(await titled("Refused")).toEqual([]);
    });
  }

  test("may be as long as it may be", async () => {
    expect((await create("k".repeat(LIMITS.idempotencyKey), "Long key")).status).toBe(201);
  });

  test("changes nothing for whoever only reads", async () => {
    const key = newKey();
    expect((await send("GET", "/api/tasks", key)).status).toBe(200);
    expect((await create(key, "After reading")).status).toBe(201);
  });

  test("lets nobody in", async () => {
    const key = newKey();
    const { body } = await create(key, "Private");
    const answer = await board.server.request("POST", "/api/tasks", {
      body: { projectId: board.board.project.id, title: "Private" },
      headers: { "idempotency-key": key },
      anonymous: true,
    });
    expectFailure(answer, "unauthenticated", /Sign in/);
    expect(JSON.stringify(answer.body)).not.toContain(body.id);
  });

  test("keeps no secret: neither links to log in with, nor what was typed", async () => {
    const link = (await send<{ url: string }>("POST", "/api/login-links", "auth")).body.url;
    expect((await send<{ url: string }>("POST", "/api/login-links", "auth")).body.url).not.toBe(link);
    expect((await send("POST", "/api/logout", "auth")).status).toBe(204);
    expect(readKeys(board.server).map(({ key }) => key)).not.toContain("auth");
    const { id } = await board.running("echo on; cat");
    await send("POST", `/api/tasks/${id}/terminal/input`, newKey(), { text: "hunter2" });
    for (const name of readdirSync(board.server.dataDir).filter((name) => name.startsWith("banto.db"))) {
      const bytes = readFileSync(join(board.server.dataDir, name));
      expect(bytes.includes(new URL(link).searchParams.get("code") ?? "")).toBe(false);
      expect(bytes.includes("hunter2")).toBe(false);
    }
  });
});

describe("a server that starts again", () => {
  test("gives the answer that the one before it gave", async () => {
    await using own = await SessionBoard.start();
    const first = await create("key", "Before", own);
    await own.server.restart();
    expect(same(await create("key", "Before", own))).toEqual(same(first));
    await own.server.kill("SIGKILL");
    await own.server.restart();
    expect(same(await create("key", "Before", own))).toEqual(same(first));
    expect(await titled("Before", own)).toHaveLength(1);
  });

  test("answers with the row when the one before it was killed before it answered", async () => {
    await using own = await SessionBoard.start();
    const { id } = await own.board.addTask({ title: "Backlog" });
    for (const [method, path, body, status] of [
      ["POST", "/api/tasks", { projectId: own.board.project.id, title: "New" }, 201],
      ["DELETE", `/api/tasks/${id}`, undefined, 200],
      ["PATCH", `/api/projects/${own.board.project.id}`, { name: "Renamed" }, 200],
    ] as const) {
      const key = newKey();
      const before = readDatabase(own.server);
      await own.server.arm(1); // after the change, before its answer is kept
      await died(send(method, path, key, body, own));
      await own.server.restart();
      const answer = await send(method, path, key, body, own);
      expect(answer.status).toBe(status);
      const after = readDatabase(own.server);
      expect([...after.tasks, ...after.projects]).toContainEqual(answer.body as never);
      expect(after.tasks.length - before.tasks.length).toBe(status === 201 ? 1 : 0);
      expect(same(await send(method, path, key, body, own))).toEqual(same(answer));
    }
  });

  test("has started an agent once, at whatever step of its start it was killed", async () => {
    await using own = await SessionBoard.start();
    for (const steps of [1, 2, 3]) {
      const { id } = await own.addTask(LASTING, { status: "backlog" });
      const key = newKey();
      const start = () => send("POST", `/api/tasks/${id}/session/start`, key, { activate: true }, own);
      await own.server.arm(steps);
      await start().catch(() => {}); // its background goes on beside the answer
      await own.server.kill("SIGKILL");
      await own.server.restart();
      const { sessionId } = await own.task(id);
      expect(sessionId).not.toBeNull();
      expect(await start()).toMatchObject({ status: 202, body: { id, sessionId, status: "active" } });
      await own.until(id, ({ sessionStatus }) => sessionStatus === "running");
      expect(own.agentsOf(id)).toHaveLength(1);
    }
  });

  test("says that it can't tell whether text was typed", async () => {
    await using own = await SessionBoard.start();
    const { id } = await own.running("echo on; cat");
    await own.server.arm(1);
    const type = () => send("POST", `/api/tasks/${id}/terminal/input`, "typed", { text: "once" }, own);
    await died(type());
    await own.server.restart();
    for (const answer of [await type(), await type()]) {
      expectFailure(answer, "conflict", /can't tell whether it was done/);
    }
  });

  test("brings a worktree back though the one before it was killed after the card", async () => {
    await using own = await SessionBoard.start();
    const task = await own.running();
    await own.act(task.id, "stop");
    await own.ended(task.id);
    await own.server.delete(`/api/tasks/${task.id}`);
    const restore = () => send("POST", `/api/tasks/${task.id}/restore`, "restore", undefined, own);
    await own.server.arm(1); // restore:accepted, or a step of putting it away
    await died(restore());
    await own.server.restart();
    expect(await restore()).toMatchObject({ status: 200, body: { worktreePath: task.worktreePath } });
  });
});
