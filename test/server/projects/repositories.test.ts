import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { FoundRepository } from "../../../src/server/projects/repositories.ts";
import { expectFailure } from "../../support/board.ts";
import { gitIn, TestRepository } from "../../support/repository.ts";
import { TestServer } from "../../support/server.ts";
import { tempDir } from "../../support/temp.ts";

async function initAt(...parts: string[]): Promise<string> {
  const path = join(...parts);
  mkdirSync(path, { recursive: true });
  await gitIn(path, "init", "--quiet");
  return path;
}

const find = async (server: TestServer, q: string) =>
  (await server.get<FoundRepository[]>(`/api/repositories?q=${encodeURIComponent(q)}`)).body.map(
    ({ path }) => path,
  );

describe("suggestions for a project's path", () => {
  test("are the repositories below the home directory and the configured roots, and no others", async () => {
    using root = tempDir("root");
    using elsewhere = await TestRepository.create("elsewhere");
    const other = await initAt(root.path, "group", "other");
    await using server = await TestServer.start({ BANTO_PROJECT_ROOTS: root.path });
    const mine = await initAt(server.home, "code", "mine");
    await initAt(server.home, "node_modules", "package");
    await initAt(server.home, ".cache", "hidden");
    mkdirSync(join(server.home, "plain"));
    expect((await find(server, "")).sort()).toEqual([mine, other].sort());
    expect(await find(server, "MINE")).toEqual([mine]);
    expect(await find(server, "~/code/")).toEqual([mine]);
    expect(await find(server, `${join(server.home, "co")}`)).toEqual([mine]);
    expect(await find(server, elsewhere.path)).toEqual([]);
    expect(await find(server, `${elsewhere.path}/../`)).toEqual([]);
    expect(await find(server, `${server.home}/../`)).toEqual([]);
  });

  test("are found also below a home directory that is a repository itself", async () => {
    await using server = await TestServer.start();
    await initAt(server.home);
    const mine = await initAt(server.home, "code", "mine");
    expect((await find(server, "")).sort()).toEqual([server.home, mine]);
  });

  test("reach deeper where a person types the path", async () => {
    await using server = await TestServer.start();
    const deep = await initAt(server.home, "a", "b", "c", "d", "e", "f", "g", "deep");
    expect(await find(server, "")).toEqual([]);
    expect(await find(server, `${join(deep, "..")}/`)).toEqual([deep]);
  });

  test("don't follow symbolic links out of the roots", async () => {
    using elsewhere = await TestRepository.create("elsewhere");
    await using server = await TestServer.start();
    symlinkSync(elsewhere.beside("."), join(server.home, "way-out"));
    expect(await find(server, "")).toEqual([]);
    expect(await find(server, `${server.home}/way-out/`)).toEqual([]);
  });

  test("refuse a search that is too long or unknown", async () => {
    await using server = await TestServer.start();
    const long = await server.get(`/api/repositories?q=${"q".repeat(4_097)}`);
    expectFailure(long, "invalid", /^q: must be at most 4096/);
    expectFailure(await server.get("/api/repositories?x=1"), "invalid", /^x: is not a known field/);
  });
});
