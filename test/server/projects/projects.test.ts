import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../../../src/contract.ts";
import type { ProjectRow } from "../../../src/server/projects/projects.ts";
import type { TaskRow } from "../../../src/server/tasks/task-row.ts";
import { expectFailure } from "../../support/board.ts";
import { gitIn, TestRepository } from "../../support/repository.ts";
import { TestServer } from "../../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.startHere();
});
afterAll(() => server[Symbol.asyncDispose]());

const add = (path: string, fields: Record<string, unknown> = {}) =>
  server.post<ProjectRow>("/api/projects", { path, ...fields });

describe("adding a project", () => {
  test("needs the path of a repository only", async () => {
    using repository = await TestRepository.create("my-app");
    const { status, body } = await add(repository.path);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{16}$/),
      name: "my-app",
      path: repository.path,
      baseBranch: "main",
      setupCommand: null,
      worktreeInclude: null,
      agent: null,
      agentOptions: null,
      otherOptions: null,
      notify: true,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: body.createdAt,
      deletedAt: null,
    });
    expect((await server.get<ProjectRow>(`/api/projects/${body.id}`)).body).toEqual(body);
    expect((await server.get<ProjectRow[]>("/api/projects")).body).toContainEqual(body);
  });

  test("takes a name, a base branch and what a new worktree needs", async () => {
    using repository = await TestRepository.create();
    await repository.git("branch", "release/1.0");
    const fields = {
      name: "Ünï 🎉",
      baseBranch: "release/1.0",
      setupCommand: "npm ci\nnpm test",
      worktreeInclude: ".env\n",
      agent: "codex",
      agentOptions: { model: "gpt-6" },
      otherOptions: { claude: { model: "sonnet" }, gemini: { permissionMode: "plan" } },
      notify: false,
    };
    const { status, body } = await add(repository.path, fields);
    expect(status).toBe(201);
    expect(body).toMatchObject(fields);
  });

  test("accepts the path of a linked worktree", async () => {
    using repository = await TestRepository.create();
    const path = await repository.linkedWorktree("side");
    const { status, body } = await add(path);
    expect({ status, path: body.path }).toEqual({ status: 201, path });
  });

  test("accepts a bare repository and drops .git from its name", async () => {
    using repository = await TestRepository.bare("tools.git");
    const { status, body } = await add(repository.path);
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "tools", baseBranch: null });
  });

  test("accepts a repository without a commit, which has no base branch yet", async () => {
    using repository = await TestRepository.empty();
    const { status, body } = await add(repository.path);
    expect({ status, baseBranch: body.baseBranch }).toEqual({ status: 201, baseBranch: null });
  });

  test("makes the first commit of a repository that has none, as its person, and only once", async () => {
    using repository = await TestRepository.empty();
    const { body } = await add(repository.path);
    const firstCommit = () => server.post<ProjectRow>(`/api/projects/${body.id}/first-commit`);
    await repository.git("config", "user.name", "Test Person");
    await repository.git("config", "user.email", "person@example.org");
    for (const _ of ["once", "again"]) {
      const made = await firstCommit();
      expect({ status: made.status, baseBranch: made.body.baseBranch }).toEqual({
        status: 200,
        baseBranch: "main",
      });
    }
    expect(await repository.git("log", "--format=%an %s", "main")).toBe("Test Person Start");
  });

  test("accepts a name of spaces and brackets in the path", async () => {
    using repository = await TestRepository.create("my app (ü) [x]");
    expect((await add(repository.path)).body.name).toBe("my app (ü) [x]");
  });

  test("makes a name of a directory whose own name is none", async () => {
    using repository = await TestRepository.create("two\nlines");
    expect((await add(repository.path)).body.name).toBe("two lines");
    using long = await TestRepository.create("n".repeat(200));
    expect((await add(long.path)).body.name).toBe("n".repeat(LIMITS.projectName));
  });

  test("follows symbolic links, trailing slashes and dots to the one real path", async () => {
    using repository = await TestRepository.create();
    symlinkSync(repository.path, repository.beside("link"));
    const { status, body } = await add(`${repository.beside("link")}/./`);
    expect({ status, path: body.path }).toEqual({ status: 201, path: repository.path });
    expectFailure(await add(`${repository.path}/../repository`), "conflict", "on the board already");
  });

  test("understands ~ as the home of the user who runs the server", async () => {
    await using server = await TestServer.start();
    mkdirSync(join(server.home, "work"));
    await gitIn(join(server.home, "work"), "init", "--quiet");
    const { status, body } = await server.post<ProjectRow>("/api/projects", { path: "~/work" });
    expect({ status, path: body.path }).toEqual({ status: 201, path: join(server.home, "work") });
  });

  test("never writes to the repository", async () => {
    using repository = await TestRepository.create();
    const before = await repository.git("status", "--porcelain=v2", "--branch", "--ignored");
    const { body } = await add(repository.path);
    await server.delete(`/api/projects/${body.id}`);
    expect(await repository.git("status", "--porcelain=v2", "--branch", "--ignored")).toBe(before);
  });
});

describe("fields that are not acceptable are named:", () => {
  test.each([
    ["a missing path", { path: undefined }, /^path: is required/],
    ["a path of the wrong type", { path: 1 }, /^path: must be string/],
    ["a name of the wrong type", { name: [] }, /^name: must be string/],
    ["an empty name", { name: "" }, /^name: must not be empty/],
    ["a blank name", { name: "  " }, /^name: must not be empty/],
    ["an over-long name", { name: "n".repeat(101) }, /^name: must be at most 100/],
    ["a name of two lines", { name: "a\nb" }, /^name: must be one line/],
    ["a setup command with NUL", { setupCommand: "a\0" }, /^setupCommand: .*NUL/],
    [
      "an over-long setup command",
      { setupCommand: "a".repeat(8_193) },
      /^setupCommand: must be at most 8192/,
    ],
    ["include rules of the wrong type", { worktreeInclude: 1 }, /^worktreeInclude: must be string or null/],
    ["an unknown field", { colour: "red" }, /^colour: is not a known field/],
    ["an over-long base branch", { baseBranch: "b".repeat(251) }, /^baseBranch: must be at most 250/],
  ])("%s", async (_, fields, message) => {
    using repository = await TestRepository.create();
    expectFailure(await add(repository.path, fields), "invalid", message);
    const listed = (await server.get<ProjectRow[]>("/api/projects")).body;
    expect(listed.map(({ path }) => path)).not.toContain(repository.path);
  });
});

describe("the same repository twice", () => {
  test("is a conflict that names the project", async () => {
    using repository = await TestRepository.create();
    await add(repository.path, { name: "First" });
    expectFailure(await add(repository.path), "conflict", /on the board already, as the project First/);
  });

  test("in twenty requests at once is added exactly once", async () => {
    using repository = await TestRepository.create();
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(repository.path)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(19).fill(409)]);
  });
});

describe("the base branch", () => {
  const detected = async (path: string) => (await add(path)).body.baseBranch;

  test("is what is checked out, whatever it is called", async () => {
    using repository = await TestRepository.create();
    await repository.git("switch", "--quiet", "--create", "trunk");
    expect(await detected(repository.path)).toBe("trunk");
  });

  test("is the remote's default where a local branch of that name exists", async () => {
    using origin = await TestRepository.create();
    const clone = await origin.clone("clone");
    await gitIn(clone, "switch", "--quiet", "--create", "feature");
    expect(await detected(clone)).toBe("main");
  });

  test("is main on a detached HEAD, else master, else any", async () => {
    using repository = await TestRepository.create();
    await repository.git("branch", "aaa");
    await repository.git("switch", "--quiet", "--detach");
    expect(await detected(repository.path)).toBe("main");
    using old = await TestRepository.create();
    await old.git("branch", "--move", "master");
    await old.git("branch", "aaa");
    await old.git("switch", "--quiet", "--detach");
    expect(await detected(old.path)).toBe("master");
    using other = await TestRepository.create();
    await other.git("branch", "--move", "zzz");
    await other.git("switch", "--quiet", "--detach");
    expect(await detected(other.path)).toBe("zzz");
  });

  test("can be chosen only among the branches there are", async () => {
    using repository = await TestRepository.create();
    for (const baseBranch of [
      "nope",
      "refs/heads/main",
      "HEAD",
      "main~0",
      "--help",
      "../main",
      "main\n",
      "ma in",
    ]) {
      const answer = await add(repository.path, { baseBranch });
      if (baseBranch.trim() === "main") expect(answer.body.baseBranch).toBe("main");
      else expectFailure(answer, "invalid", /^baseBranch: /);
    }
  });

  test("can be changed later, with the same check", async () => {
    using repository = await TestRepository.create();
    await repository.git("branch", "next");
    const { id } = (await add(repository.path)).body;
    const changed = await server.patch<ProjectRow>(`/api/projects/${id}`, { baseBranch: "next" });
    expect(changed.body.baseBranch).toBe("next");
    const refused = await server.patch(`/api/projects/${id}`, { baseBranch: "nope" });
    expectFailure(refused, "invalid", /^baseBranch: there is no branch nope/);
  });
});

test("changing a project changes what is named and nothing else", async () => {
  using repository = await TestRepository.create();
  const project = (await add(repository.path, { setupCommand: "make", worktreeInclude: ".env" })).body;
  const path = `/api/projects/${project.id}`;
  const renamed = await server.patch<ProjectRow>(path, { name: "  New name " });
  expect(renamed.body).toEqual({ ...project, name: "New name", updatedAt: renamed.body.updatedAt });
  const cleared = await server.patch<ProjectRow>(path, { setupCommand: null, worktreeInclude: "" });
  expect(cleared.body).toMatchObject({ name: "New name", setupCommand: null, worktreeInclude: null });
  expectFailure(await server.patch(path, { path: "/tmp" }), "invalid", /^path: is not a known field/);
});

describe("deleting a project", () => {
  test("hides it and its tasks, and restoring brings all back", async () => {
    using repository = await TestRepository.create();
    const project = (await add(repository.path)).body;
    const task = (await server.post<TaskRow>("/api/tasks", { projectId: project.id, title: "Kept" })).body;

    expect((await server.delete(`/api/projects/${project.id}`)).status).toBe(200);
    expectFailure(await server.get(`/api/projects/${project.id}`), "not_found", project.id);
    expectFailure(await server.get(`/api/tasks/${task.id}`), "not_found", task.id);
    expectFailure(await server.patch(`/api/tasks/${task.id}`, { title: "x" }), "not_found", task.id);
    expect((await server.get(`/api/tasks?projectId=${project.id}`)).body).toEqual([]);

    const restored = await server.post<ProjectRow>(`/api/projects/${project.id}/restore`);
    expect(restored.body).toEqual({ ...project, updatedAt: restored.body.updatedAt });
    expect((await server.get<TaskRow>(`/api/tasks/${task.id}`)).body).toEqual(task);
  });

  test("lets its path be added anew, and then it can't be restored", async () => {
    using repository = await TestRepository.create();
    const first = (await add(repository.path)).body;
    await server.delete(`/api/projects/${first.id}`);
    expect((await add(repository.path)).status).toBe(201);
    expectFailure(await server.post(`/api/projects/${first.id}/restore`), "conflict", "on the board already");
  });

  test("takes its deleted tasks' way back too", async () => {
    using repository = await TestRepository.create();
    const project = (await add(repository.path)).body;
    const task = (await server.post<TaskRow>("/api/tasks", { projectId: project.id, title: "x" })).body;
    await server.delete(`/api/tasks/${task.id}`);
    await server.delete(`/api/projects/${project.id}`);
    expectFailure(await server.post(`/api/tasks/${task.id}/restore`), "not_found", /^projectId: /);
  });
});
