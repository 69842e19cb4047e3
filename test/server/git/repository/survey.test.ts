import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commonDirectory } from "../../../../src/server/git/repository/administration.ts";
import { readRefFiles } from "../../../../src/server/git/repository/ref-files.ts";
import { chooseBranch, surveyRepository } from "../../../../src/server/git/repository/survey.ts";
import { cachedSettings, readSettings } from "../../../../src/server/git/run/settings.ts";
import { gitIn, TestRepository } from "../../../support/repository.ts";

const WISH = { branch: "banto/task", base: "main" };
const WANTED = {
  exactly: ["refs/heads/main", "refs/remotes/origin/main"],
  beginning: "refs/heads/banto",
};

/** What the files say, having seen that git says the same. */
async function fromFiles(repository: string) {
  const refs = await readRefFiles(await commonDirectory(repository), WANTED);
  if (refs === undefined) return undefined;
  const chosen = await chooseBranch({ repository, ...WISH }, refs);
  expect(chosen).toEqual(await chooseBranch({ repository, ...WISH }));
  return chosen;
}

describe("references read from their files are what git says they are", () => {
  test("loose, packed, and packed ones that have moved since", async () => {
    using repository = await TestRepository.create();
    const first = await repository.git("rev-parse", "HEAD");
    expect(await fromFiles(repository.path)).toEqual({ branch: "banto/task", baseCommit: first });
    for (const name of ["banto/task", "banto/task-2", "banto/deep/er", "bantoo", "other"]) {
      await repository.git("branch", name);
    }
    expect(await fromFiles(repository.path)).toEqual({ branch: "banto/task-3", baseCommit: first });
    await repository.git("tag", "--annotate", "--message=peeled", "v1");
    await repository.git("pack-refs", "--all");
    expect(await fromFiles(repository.path)).toEqual({ branch: "banto/task-3", baseCommit: first });
    await repository.commit("second");
    const second = await repository.git("rev-parse", "HEAD");
    expect(await fromFiles(repository.path)).toEqual({ branch: "banto/task-3", baseCommit: second });
    await repository.git("branch", "--delete", "banto/task");
    expect(await fromFiles(repository.path)).toEqual({ branch: "banto/task", baseCommit: second });
  });

  test("a branch in the way of the folder, and a lock of one that is being made", async () => {
    using repository = await TestRepository.create();
    const folder = join(repository.path, ".git/refs/heads/banto");
    mkdirSync(folder);
    writeFileSync(join(folder, "task.lock"), "");
    expect((await fromFiles(repository.path))?.branch).toBe("banto/task");
    rmSync(folder, { recursive: true });
    await repository.git("branch", "banto");
    expect((await fromFiles(repository.path))?.branch).toBe("banto-2/task");
  });

  test("of a clone without the branch, a bare and a sha256 repository, and a linked worktree", async () => {
    using repository = await TestRepository.create();
    const baseCommit = await repository.git("rev-parse", "HEAD");
    const clone = await repository.clone("clone");
    await gitIn(clone, "checkout", "--quiet", "--detach");
    await gitIn(clone, "branch", "--delete", "--force", "main");
    const bare = repository.beside("bare.git");
    await repository.git("clone", "--quiet", "--bare", repository.path, bare);
    const linked = await repository.linkedWorktree("linked");
    for (const path of [clone, bare, linked]) {
      expect(await fromFiles(path)).toEqual({ branch: "banto/task", baseCommit });
    }
    const modern = repository.beside("sha256");
    mkdirSync(modern);
    await gitIn(modern, "init", "--quiet", "--object-format=sha256", "--initial-branch=main");
    await gitIn(modern, "commit", "--quiet", "--allow-empty", "--message=first");
    expect((await fromFiles(modern))?.baseCommit).toBe(await gitIn(modern, "rev-parse", "HEAD"));
  });

  test("and git is asked where they are symbolic, too many, or kept in another way", async () => {
    using repository = await TestRepository.create();
    await repository.git("branch", "trunk");
    await repository.git("symbolic-ref", "refs/heads/main", "refs/heads/trunk");
    expect(await fromFiles(repository.path)).toBeUndefined();
    await repository.git("symbolic-ref", "--delete", "refs/heads/main");
    await repository.git("branch", "main", "trunk");
    expect(await fromFiles(repository.path)).toBeDefined();
    const packed = join(repository.path, ".git/packed-refs");
    writeFileSync(packed, `${"0".repeat(40)} refs/heads/other\n`.repeat(6_000));
    expect(await fromFiles(repository.path)).toBeUndefined();
    rmSync(packed);
    // As a repository with a reftable has it, for whoever does not know of those.
    rmSync(join(repository.path, ".git/refs/heads"), { recursive: true });
    writeFileSync(join(repository.path, ".git/refs/heads"), "this repository uses the reftable format\n");
    expect(await fromFiles(repository.path)).toBeUndefined();
  });
});

test("git's word on a repository holds until its configuration changes, and only where all of it is in view", async () => {
  using repository = await TestRepository.create();
  const { path } = repository;
  await repository.git("config", "core.autocrlf", "true");
  const including = await repository.clone("including");
  await gitIn(including, "config", "include.path", "more");
  const several = await repository.clone("several");
  await gitIn(several, "config", "extensions.worktreeConfig", "true");
  const all = [path, including, several];
  // A file that has only just changed is looked at again: it could change once more unseen.
  while (cachedSettings(path) === undefined) for (const each of all) await readSettings(each);
  expect(all.map((each) => cachedSettings(each) !== undefined)).toEqual([true, false, false]);

  const wish = { repository: path, ...WISH };
  const survey = await surveyRepository(wish);
  expect(survey.settings).toEqual(await readSettings(path));
  expect(survey.chosen).toEqual(await chooseBranch(wish));

  await repository.git("config", "core.autocrlf", "false");
  expect(cachedSettings(path)).toBeUndefined();
  expect((await surveyRepository(wish)).settings.get("core.autocrlf")).toBe("false");

  appendFileSync(join(path, ".git/config"), "[core\n");
  await expect(surveyRepository(wish)).rejects.toThrow("its configuration cannot be read");
});
