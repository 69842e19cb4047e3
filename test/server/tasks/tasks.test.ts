import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LIMITS } from "../../../src/contract.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure, TestBoard } from "../../support/board.ts";

let board: TestBoard;
beforeAll(async () => {
  board = await TestBoard.startHere();
});
afterAll(() => board[Symbol.asyncDispose]());

const create = (fields: Record<string, unknown>) =>
  board.server.post("/api/tasks", { projectId: board.project.id, title: "A task", ...fields });

describe("creating a task", () => {
  test("needs a project and a title only", async () => {
    const { status, body } = await board.server.post<TaskRow>("/api/tasks", {
      projectId: board.project.id,
      title: "  Write the tests  ",
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{16}$/),
      projectId: board.project.id,
      title: "Write the tests",
      description: null,
      pinned: false,
      status: "backlog",
      position: expect.any(String),
      agent: "claude",
      agentOptions: null,
      otherOptions: null,
      activity: null,
      asks: null,
      lastReply: null,
      prompts: null,
      sessionStatus: null,
      sessionId: null,
      agentSessionId: null,
      worktreePath: null,
      branch: null,
      sessionStartedAt: null,
      sessionError: null,
      sessionChangedAt: null,
      sessionOperation: null,
      completedFrom: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
      deletedAt: null,
    });
  });

  test("takes everything a person can choose", async () => {
    const chosen = {
      title: 'Ünïcode 日本 🎉 "quoted" <b>&amp;\'; DROP TABLE tasks',
      description: "several\nlines\twith tabs",
      pinned: true,
      status: "active",
      agent: "shell",
      agentOptions: {
        model: "opus",
        permissionMode: "plan",
        extraArgs: ["--add-dir", "/srv"],
        configDir: "/c",
      },
    };
    expect(await board.addTask(chosen)).toMatchObject(chosen);
  });

  test("gives it its project's agent unless another one is chosen", async () => {
    const { server, project } = board;
    const change = (fields: object) => server.patch(`/api/projects/${project.id}`, fields);
    expect((await change({ agent: "hal" })).status).toBe(422);
    expect((await change({ agent: "codex", agentOptions: { effort: "max" } })).status).toBe(422);
    expect((await change({ agent: "codex", agentOptions: { effort: "high" } })).status).toBe(200);
    expect((await board.addTask({})).agent).toBe("codex");
    expect((await board.addTask({ agent: "gemini" })).agent).toBe("gemini");
    const codex = {
      title: "t",
      projectId: project.id,
      agentOptions: { permissionMode: "plan", effort: "max" },
    };
    expectFailure(await server.post("/api/tasks", codex), "invalid", /Codex has no max; choose one of/);
    const { body } = await change({ agent: null });
    expect(body).toMatchObject({
      agent: null,
      agentOptions: null,
      otherOptions: { codex: { effort: "high" } },
    });
    expect((await board.addTask({})).agent).toBe("claude");
  });

  test("puts the new card on top of its column", async () => {
    const first = await board.addTask({ status: "done" });
    const second = await board.addTask({ status: "done" });
    const ids = (await board.column("done")).map((task) => task.id);
    expect(ids.slice(0, 2)).toEqual([second.id, first.id]);
  });

  test("accepts a title and a description of exactly the allowed length", async () => {
    const title = "t".repeat(LIMITS.title);
    const description = "d".repeat(LIMITS.description);
    expect(await board.addTask({ title, description })).toMatchObject({ title, description });
  });

  test("treats an empty description as none", async () => {
    expect((await board.addTask({ description: "" })).description).toBeNull();
  });
});

describe("a task that is not acceptable is refused with its field named:", () => {
  const refusals: [string, Record<string, unknown>, RegExp][] = [
    ["no title", { title: undefined }, /^title: is required/],
    ["an empty title", { title: "" }, /^title: must not be empty/],
    ["a blank title", { title: " \t " }, /^title: must not be empty/],
    ["a title of the wrong type", { title: 7 }, /^title: must be string/],
    ["a title that is null", { title: null }, /^title: must be string/],
    ["an over-long title", { title: "t".repeat(LIMITS.title + 1) }, /^title: must be at most 500/],
    ["a title of two lines", { title: "one\ntwo" }, /^title: must be one line/],
    ["a title with an escape character", { title: "a\u001b[31mred" }, /^title: must be one line/],
    ["a title with NUL", { title: "a\0b" }, /^title: .*NUL/],
    ["a title with half a surrogate pair", { title: "a\ud800b" }, /^title: .*surrogate/],
    ["a description of the wrong type", { description: ["x"] }, /^description: must be string or null/],
    [
      "an over-long description",
      { description: "d".repeat(LIMITS.description + 1) },
      /^description: .*65536/,
    ],
    ["a description with NUL", { description: "a\0b" }, /^description: .*NUL/],
    ["a description with half a surrogate pair", { description: "\udc00" }, /^description: .*surrogate/],
    ["pinned as text", { pinned: "true" }, /^pinned: must be boolean/],
    ["an unknown status", { status: "doing" }, /^status: must be one of backlog, active, done/],
    ["a status of the wrong type", { status: 1 }, /^status: must be one of/],
    ["an unknown agent", { agent: "hal" }, /^agent: must be one of claude, .*shell/],
    ["an over-long agent", { agent: "a".repeat(65) }, /^agent: must be at most 64/],
    ["an unknown field", { colour: "red" }, /^colour: is not a known field/],
    ["a field only the server sets", { sessionStatus: "running" }, /^sessionStatus: is not a known field/],
    ["a project id of the wrong type", { projectId: 1 }, /^projectId: must be string/],
    ["no project id", { projectId: undefined }, /^projectId: is required/],
  ];
  test.each(refusals)("%s", async (_, fields, message) => {
    expectFailure(await create(fields), "invalid", message);
  });

  test("a project that is not there", async () => {
    expectFailure(await create({ projectId: "nowhere" }), "not_found", /^projectId: .*"nowhere"/);
  });

  test.each([
    ["a list", []],
    ["text", "task"],
    ["a number", 5],
    ["null", null],
  ])("a body that is %s", async (_, body) => {
    expectFailure(
      await board.server.post("/api/tasks", body),
      "invalid",
      /^The body: must be object|required/,
    );
  });

  test("nothing of it is kept", async () => {
    const before = (await board.server.get<TaskRow[]>("/api/tasks")).body.length;
    for (const [, fields] of refusals) await create(fields);
    expect((await board.server.get<TaskRow[]>("/api/tasks")).body.length).toBe(before);
  });
});

describe("listing tasks", () => {
  test("filters by project, status and words, in the order of the column", async () => {
    const needle = "Nadel im Heuhaufen ÄÖ";
    const low = await board.addTask({ title: needle, status: "active" });
    const high = await board.addTask({ title: "x", description: `so: ${needle}`, status: "active" });
    await board.addTask({ title: needle, status: "backlog" });
    const q = encodeURIComponent("HEUHAUFEN äö");
    const path = `/api/tasks?projectId=${board.project.id}&status=active&q=${q}`;
    const found = (await board.server.get<TaskRow[]>(path)).body;
    expect(found.map((task) => task.id)).toEqual([high.id, low.id]);
  });

  test("finds % and _ as themselves", async () => {
    const task = await board.addTask({ title: "100%_sure" });
    const found = (await board.server.get<TaskRow[]>(`/api/tasks?q=${encodeURIComponent("0%_s")}`)).body;
    expect(found.map(({ id }) => id)).toEqual([task.id]);
  });

  test("of an unknown project is empty", async () => {
    expect((await board.server.get("/api/tasks?projectId=nowhere")).body).toEqual([]);
  });

  test.each([
    ["an unknown status", "status=doing", /^status: must be one of/],
    ["an unknown filter", "colour=red", /^colour: is not a known field/],
    ["an over-long search", `q=${"q".repeat(201)}`, /^q: must be at most 200/],
  ])("refuses %s", async (_, query, message) => {
    expectFailure(await board.server.get(`/api/tasks?${query}`), "invalid", message);
  });
});

describe("changing a task", () => {
  test("changes what is named and nothing else", async () => {
    const task = await board.addTask({ status: "active", pinned: true, description: "why", agent: "shell" });
    const { status, body } = await board.server.patch<TaskRow>(`/api/tasks/${task.id}`, { title: "Better" });
    expect(status).toBe(200);
    expect(body).toEqual({ ...task, title: "Better", updatedAt: body.updatedAt });
    expect((await board.server.get<TaskRow>(`/api/tasks/${task.id}`)).body).toEqual(body);
  });

  test("keeps each agent's options to itself, and brings them back with it", async () => {
    const task = await board.addTask({ agentOptions: { model: "opus", configDir: "/c" } });
    const become = async (patch: object) =>
      (await board.server.patch<TaskRow>(`/api/tasks/${task.id}`, patch)).body;
    expect(await become({ agent: "codex" })).toMatchObject({ agent: "codex", agentOptions: null });
    expect(await become({ agentOptions: { model: "gpt-6" } })).toMatchObject({
      agentOptions: { model: "gpt-6" },
    });
    expect(await become({ agent: "claude" })).toMatchObject({
      agentOptions: { model: "opus", configDir: "/c" },
      otherOptions: { codex: { model: "gpt-6" } },
    });
  });

  test("with an empty patch changes nothing", async () => {
    const task = await board.addTask({ status: "done" });
    const { body } = await board.server.patch<TaskRow>(`/api/tasks/${task.id}`, {});
    expect(body).toEqual({ ...task, updatedAt: body.updatedAt });
  });

  test("takes a description away with null", async () => {
    const task = await board.addTask({ description: "why" });
    const { body } = await board.server.patch<TaskRow>(`/api/tasks/${task.id}`, { description: null });
    expect(body.description).toBeNull();
  });

  test("moves it to the top of another column", async () => {
    await board.addTask({ status: "done" });
    const task = await board.addTask();
    await board.server.patch(`/api/tasks/${task.id}`, { status: "done" });
    expect((await board.column("done"))[0]?.id).toBe(task.id);
  });

  test.each([
    ["an unknown field", { projectId: "x" }, /^projectId: is not a known field/],
    ["an unknown status", { status: "doing" }, /^status: must be one of/],
    ["an empty title", { title: "" }, /^title: must not be empty/],
    ["an over-long title", { title: "t".repeat(501) }, /^title: must be at most 500/],
    ["an unknown agent", { agent: "hal" }, /^agent: must be one of/],
    ["pinned as a number", { pinned: 1 }, /^pinned: must be boolean/],
    ["a session status", { sessionStatus: "done" }, /^sessionStatus: is not a known field/],
  ])("refuses %s", async (_, patch, message) => {
    const task = await board.addTask();
    expectFailure(await board.server.patch(`/api/tasks/${task.id}`, patch), "invalid", message);
    expect((await board.server.get<TaskRow>(`/api/tasks/${task.id}`)).body).toEqual(task);
  });
});

describe("deleting a task", () => {
  test("puts it into the trash with its text, though it never ran, until it is restored", async () => {
    const { id } = await board.addTask({ title: "Never ran", description: "Every word of it" });
    const inTrash = async () => {
      const { body } = await board.server.get<TaskRow[]>("/api/tasks/deleted");
      return body.filter((task) => task.id === id);
    };
    expect(await inTrash()).toEqual([]);
    await board.server.delete(`/api/tasks/${id}`);
    expect(await inTrash()).toMatchObject([{ title: "Never ran", description: "Every word of it" }]);
    await board.server.post(`/api/tasks/${id}/restore`);
    expect(await inTrash()).toEqual([]);
  });

  test("hides it everywhere, and restoring brings it back as it was", async () => {
    const { id, ...task } = await board.addTask({ status: "active", pinned: true, description: "kept" });
    const deleted = await board.server.delete<TaskRow>(`/api/tasks/${id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body.deletedAt).not.toBeNull();
    expectFailure(await board.server.get(`/api/tasks/${id}`), "not_found", id);
    expect((await board.column("active")).map((other) => other.id)).not.toContain(id);

    const restored = await board.server.post<TaskRow>(`/api/tasks/${id}/restore`);
    expect(restored.status).toBe(200);
    expect(restored.body).toEqual({ id, ...task, updatedAt: restored.body.updatedAt });
    expect((await board.column("active"))[0]?.id).toBe(id);
  });

  test("a second time says it is not there, and restoring twice is harmless", async () => {
    const { id } = await board.addTask();
    await board.server.delete(`/api/tasks/${id}`);
    expectFailure(await board.server.delete(`/api/tasks/${id}`), "not_found", id);
    const [first, second] = [
      await board.server.post<TaskRow>(`/api/tasks/${id}/restore`),
      await board.server.post<TaskRow>(`/api/tasks/${id}/restore`),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.position).toBe(first.body.position);
  });

  test("frees its place, and restoring it finds one just after the card that took it", async () => {
    const task = await board.addTask({ status: "done" });
    await board.server.delete(`/api/tasks/${task.id}`);
    const other = await board.addTask();
    await board.server.patch(`/api/tasks/${other.id}`, { status: "done", position: task.position });
    await board.server.post(`/api/tasks/${task.id}/restore`);
    const ids = (await board.column("done")).map(({ id }) => id);
    expect(ids.indexOf(task.id)).toBe(ids.indexOf(other.id) + 1);
  });
});

describe("an id that is not there", () => {
  const calls: [string, string, string][] = [
    ["GET", "/api/tasks/ID", "There is no task"],
    ["PATCH", "/api/tasks/ID", "There is no task"],
    ["DELETE", "/api/tasks/ID", "There is no task"],
    ["POST", "/api/tasks/ID/restore", "There is no task"],
    ["GET", "/api/tasks/ID/session-logs", "There is no task"],
    ["GET", "/api/projects/ID", "There is no project"],
    ["PATCH", "/api/projects/ID", "There is no project"],
    ["DELETE", "/api/projects/ID", "There is no project"],
    ["POST", "/api/projects/ID/restore", "There is no project"],
  ];
  const ids = ["nowhere", "%00", "..%2f..", "%F0%9F%8E%89", "'%20OR%201=1--", "x".repeat(5_000)];
  test.each(calls)("%s %s answers 404", async (method, path, message) => {
    for (const id of ids) {
      const body = method === "PATCH" ? {} : undefined;
      expectFailure(
        await board.server.request(method, path.replace("ID", id), { body }),
        "not_found",
        message,
      );
    }
  });

  test.each(calls)("%s %s answers 422 where the id can't be decoded", async (method, path) => {
    for (const id of ["%ZZ", "%ED%A0%80", "%"]) {
      const body = method === "PATCH" ? {} : undefined;
      expectFailure(await board.server.request(method, path.replace("ID", id), { body }), "invalid", /^id: /);
    }
  });
});
