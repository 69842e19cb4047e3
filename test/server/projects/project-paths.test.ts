import { afterAll, beforeAll, describe, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../../../src/contract.ts";
import type { ProjectRow } from "../../../src/server/projects/projects.ts";
import { expectFailure } from "../../support/board.ts";
import { TestRepository } from "../../support/repository.ts";
import { TestServer } from "../../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.startHere();
});
afterAll(() => server[Symbol.asyncDispose]());

const add = (path: string, fields: Record<string, unknown> = {}) =>
  server.post<ProjectRow>("/api/projects", { path, ...fields });

describe("a path that is no repository is refused with a reason:", () => {
  test("nothing there", async () => {
    expectFailure(await add("/no/such/directory"), "invalid", /^path: there is nothing at/);
  });

  test("a file", async () => {
    using repository = await TestRepository.create();
    expectFailure(await add(join(repository.path, "README.md")), "invalid", /^path: .*is a file/);
    expectFailure(await add(join(repository.path, "README.md/x")), "invalid", /^path: there is nothing at/);
  });

  test("a directory without git", async () => {
    using repository = await TestRepository.create();
    mkdirSync(repository.beside("plain"));
    expectFailure(await add(repository.beside("plain")), "invalid", /^path: .*not a git repository/);
  });

  test("a directory inside a repository", async () => {
    using repository = await TestRepository.create();
    mkdirSync(join(repository.path, "src"));
    expectFailure(
      await add(join(repository.path, "src")),
      "invalid",
      `inside the repository ${repository.path}`,
    );
  });

  test("the .git directory of a repository", async () => {
    using repository = await TestRepository.create();
    expectFailure(
      await add(join(repository.path, ".git")),
      "invalid",
      `inside the repository ${repository.path}`,
    );
  });

  test("a directory inside a bare repository", async () => {
    using repository = await TestRepository.bare();
    expectFailure(await add(join(repository.path, "refs")), "invalid", /^path: .*bare repository/);
  });

  test("a .git file that leads nowhere", async () => {
    using repository = await TestRepository.create();
    mkdirSync(repository.beside("broken"));
    writeFileSync(join(repository.beside("broken"), ".git"), "gitdir: /no/such/place\n");
    expectFailure(await add(repository.beside("broken")), "invalid", /^path: /);
  });

  test("a symbolic link to itself, or to nothing", async () => {
    using repository = await TestRepository.create();
    symlinkSync(repository.beside("loop"), repository.beside("loop"));
    symlinkSync("/no/such/directory", repository.beside("dangling"));
    expectFailure(await add(repository.beside("loop")), "invalid", /^path: .*leads nowhere/);
    expectFailure(await add(repository.beside("dangling")), "invalid", /^path: there is nothing at/);
  });

  test.each(["repository", "./repository", "../x", "~someone/x", "C:\\x", " /tmp"])(
    "relative: %j",
    async (path) => {
      expectFailure(await add(path), "invalid", /^path: .*not absolute/);
    },
  );

  test.each(["/dev/null", "/proc/self/mem", "/proc/self/fd/0"])("a device: %s", async (path) => {
    expectFailure(await add(path), "invalid", /^path: /);
  });

  test("one that starts like an option of git", async () => {
    expectFailure(await add("--upload-pack=x"), "invalid", /^path: .*not absolute/);
  });

  test.each([
    ["over-long", `/${"p".repeat(LIMITS.path)}`, /^path: must be at most 4096/],
    ["longer than the file system takes", `/${"p".repeat(300)}`, /^path: .*longer than a path can be/],
    ["with NUL", "/tmp\0x", /^path: .*NUL/],
    ["with half a surrogate pair", "/tmp/\ud800", /^path: .*surrogate/],
    ["empty", "", /^path: must not be empty/],
  ])("%s", async (_, path, message) => {
    expectFailure(await add(path), "invalid", message);
  });
});
