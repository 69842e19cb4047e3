import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitWork } from "../../../../src/server/git/work/commit.ts";
import { readWork } from "../../../../src/server/git/work/work.ts";
import { gitIn } from "../../../support/repository.ts";
import { ATTRIBUTES, Sentinel } from "../support/sentinel.ts";
import { withSubmodules } from "../support/submodules.ts";
import { Workshop } from "../support/workshop.ts";

async function workshopOf(person = true): Promise<Workshop> {
  const workshop = await Workshop.create();
  if (person) {
    await workshop.repository.git("config", "user.name", "Test Person");
    await workshop.repository.git("config", "user.email", "person@example.org");
  }
  await workshop.create();
  return workshop;
}

const write = (workshop: Workshop, name: string, text = `${name}\n`) =>
  writeFileSync(join(workshop.path, name), text);
const read = ({ repository, path }: Workshop) =>
  readWork({ repository: repository.path, path, base: "main" });
const commit = ({ repository, path }: Workshop, message = "The work") =>
  commitWork({ repository: repository.path, path, message });

test("what is committed and what is not are counted, and nothing is changed by looking", async () => {
  using workshop = await workshopOf();
  const { path } = workshop;
  expect(await read(workshop)).toEqual({ branch: "banto/task", uncommitted: 0, commits: 0 });
  write(workshop, ".gitignore", "ignored\n");
  await gitIn(path, "add", ".gitignore");
  await gitIn(path, "commit", "--quiet", "-m", "one");
  write(workshop, "ignored");
  write(workshop, "staged");
  await gitIn(path, "add", "staged");
  write(workshop, "README.md", "changed\n");
  mkdirSync(join(path, "new"));
  write(workshop, "new/a b");
  write(workshop, "new/ü");
  const before = await gitIn(path, "status", "--porcelain");
  expect(await read(workshop)).toEqual({ branch: "banto/task", uncommitted: 4, commits: 1 });
  expect(await gitIn(path, "status", "--porcelain")).toBe(before);
  write(workshop, "README.md", "first\n"); // as it was, though written since
  rmSync(join(path, "new"), { recursive: true });
  expect((await read(workshop)).uncommitted).toBe(1);
});

test("changes inside submodules count, though their commits stand, and no commit out here takes them", async () => {
  using made = await withSubmodules();
  const { workshop } = made;
  const count = async () => (await read(workshop)).uncommitted;
  expect(await count()).toBe(0);
  write(workshop, "vendor/lib/README.md", "changed\n");
  expect(await count()).toBe(1);
  write(workshop, "vendor/lib/deep/new");
  write(workshop, "vendor/lib/deep/ü");
  expect(await count()).toBe(3);
  await expect(commit(workshop)).rejects.toThrow(/vendor\/lib is a repository of its own/);
  await gitIn(join(workshop.path, "vendor/lib/deep"), "clean", "--force", "--quiet");
  rmSync(join(workshop.path, "vendor/lib/.git"));
  expect(await count()).toBe(1);
});

test("a worktree that is gone is refused in words", async () => {
  using workshop = await workshopOf();
  rmSync(workshop.path, { recursive: true });
  await expect(read(workshop)).rejects.toThrow(/There is no worktree at/);
});

test("all of it is committed to the branch, as its person, once", async () => {
  using workshop = await workshopOf();
  const { path } = workshop;
  write(workshop, "new");
  write(workshop, "staged");
  await gitIn(path, "add", "staged");
  write(workshop, "staged", "and changed\n");
  rmSync(join(path, "README.md"));
  mkdirSync(join(path, "README.md"));
  write(workshop, "README.md/inside");
  const made = await commit(workshop, "The work\n\nand why");
  expect(await gitIn(path, "status", "--porcelain")).toBe("");
  expect(await gitIn(path, "rev-parse", "banto/task")).toBe(made ?? "");
  expect(await gitIn(path, "log", "-1", "--format=%an %ce %B")).toBe(
    "Test Person person@example.org The work\n\nand why",
  );
  expect(await gitIn(path, "show", "HEAD:staged")).toBe("and changed");
  expect(await gitIn(path, "ls-tree", "-r", "--name-only", "HEAD")).toBe("README.md/inside\nnew\nstaged");
  expect(await commit(workshop)).toBeNull();
  expect(await read(workshop)).toEqual({ branch: "banto/task", uncommitted: 0, commits: 1 });
});

test("what can't be committed as a person would is refused, and nothing is changed", async () => {
  using workshop = await workshopOf();
  const { path } = workshop;
  const head = await gitIn(path, "rev-parse", "HEAD");
  write(workshop, ".gitattributes", ATTRIBUTES);
  write(workshop, "a.evil");
  await expect(commit(workshop)).rejects.toThrow(/a\.evil goes through git's filter "evil"/);
  rmSync(join(path, "a.evil"));
  mkdirSync(join(path, "inner"));
  await gitIn(join(path, "inner"), "init", "--quiet");
  write(workshop, "inner/file");
  await expect(commit(workshop)).rejects.toThrow(/inner is a repository of its own/);
  rmSync(join(path, "inner"), { recursive: true });
  await gitIn(path, "checkout", "--quiet", "--detach");
  await expect(commit(workshop)).rejects.toThrow(/no branch is checked out there/);
  expect((await read(workshop)).branch).toBeNull();
  expect(await gitIn(path, "rev-parse", "HEAD")).toBe(head);
  expect(await gitIn(path, "status", "--porcelain")).toBe("?? .gitattributes");
});

test("nothing that an agent set to run does, though it does for git alone", async () => {
  using workshop = await workshopOf();
  const sentinel = new Sentinel(workshop);
  await sentinel.configuration();
  sentinel.hooks();
  await sentinel.worktreeConfiguration(workshop.path);
  write(workshop, "new");
  sentinel.ran();
  expect((await read(workshop)).uncommitted).toBe(1);
  expect(await commit(workshop)).not.toBeNull();
  expect(sentinel.ran()).toEqual([]);
  await gitIn(workshop.path, "status").catch(() => {});
  expect(sentinel.ran()).not.toEqual([]);
});
