import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { RESTORE_STEPS } from "../../../../src/server/git/restore/from-trash.ts";
import { gitIn, TestRepository } from "../../../support/repository.ts";
import { filesIn } from "../support/files.ts";
import { isLooseObject, LOST_WITHOUT_TRASH, messyWorkshop } from "../support/messy.ts";
import { Workshop } from "../support/workshop.ts";

const state = async (path: string) => ({
  status: await gitIn(path, "status", "--porcelain=v2", "--branch", "-z", "--ignored"),
  log: await gitIn(path, "reflog", "--format=%H %gs"),
  staged: await gitIn(path, "ls-files", "--stage", "-z"),
});

describe("an archived worktree", () => {
  test("comes back from the trash byte for byte, with its index, its log and its branch", async () => {
    using workshop = await messyWorkshop();
    const { repository, path } = workshop;
    const before = { files: filesIn(path), ...(await state(path)) };
    const archived = await workshop.archive();
    expect(existsSync(path)).toBe(false);
    expect(await repository.git("worktree", "list", "--porcelain")).not.toContain("banto/task");
    const restored = await workshop.restore(archived);
    expect(restored).toEqual({ branch: "banto/task", path, notes: [] });
    expect({ files: filesIn(path), ...(await state(path)) }).toEqual(before);
    expect(existsSync(archived.trashPath)).toBe(false);
    expect(existsSync(join(repository.path, ".git/banto/trash", archived.trashPath))).toBe(false);
    expect(await repository.git("fsck", "--strict")).not.toContain("missing");
  });

  test("comes back at another place and beside a new worktree of the same task", async () => {
    using workshop = await messyWorkshop();
    const before = { files: filesIn(workshop.path), ...(await state(workshop.path)) };
    const archived = await workshop.archive();
    expect((await workshop.create()).branch).toBe("banto/task-2");
    const back = await workshop.restore(archived, workshop.place("back"));
    expect(back.branch).toBe("banto/task");
    expect({ files: filesIn(back.path), ...(await state(back.path)) }).toEqual(before);
    expect(await gitIn(workshop.path, "status", "--porcelain")).toBe("");
  });

  test("is refused a place where something is", async () => {
    using workshop = await messyWorkshop();
    const archived = await workshop.archive();
    mkdirSync(workshop.path);
    writeFileSync(join(workshop.path, "file"), "in the way");
    await expect(workshop.restore(archived)).rejects.toThrow("There is already something at");
    expect(filesIn(workshop.path)).toEqual({ file: "644 in the way" });
    rmSync(join(workshop.path, "file"));
    await workshop.restore(archived);
    expect(readFileSync(join(workshop.path, ".env"), "utf8")).toBe("TOKEN=1\n");
  });

  test("is refused what is a link in the trash, and stays there", async () => {
    using workshop = await messyWorkshop();
    const archived = await workshop.archive();
    const files = join(archived.trashPath, "worktree");
    const away = workshop.repository.beside("away");
    renameSync(files, away);
    symlinkSync(away, files);
    await expect(workshop.restore(archived)).rejects.toThrow(/is a symbolic link now.*Put the folder back/);
    unlinkSync(files);
    renameSync(away, files);
    symlinkSync(away, workshop.path);
    await expect(workshop.restore(archived)).rejects.toThrow(/is a symbolic link now/);
    unlinkSync(workshop.path);
    expect((await workshop.restore(archived)).path).toBe(workshop.path);
  });

  test("comes back from its snapshot when the trash was emptied, without what git ignores", async () => {
    using workshop = await messyWorkshop();
    const { path } = workshop;
    const files = filesIn(path);
    const before = await state(path);
    const archived = await workshop.archive();
    await workshop.repository.git("gc", "--quiet", "--prune=now");
    await workshop.purge(archived);
    await workshop.purge(archived);
    expect(existsSync(archived.trashPath)).toBe(false);
    const restored = await workshop.restore(archived);
    expect(restored.branch).toBe("banto/task");
    expect(restored.notes.join()).toContain("The trash was emptied: ignored files");
    const expected = Object.entries(files).filter(([name]) => !LOST_WITHOUT_TRASH(name));
    const found = Object.entries(filesIn(path)).filter(
      ([name]) => !name.endsWith("/") && !isLooseObject(name),
    );
    const withoutModes = (entries: [string, string][]) =>
      Object.fromEntries(entries.map(([name, content]) => [name, content.replace(/^600 /, "644 ")]));
    expect(withoutModes(found)).toEqual(withoutModes(expected));
    expect((await state(path)).staged).toBe(before.staged);
    expect(await workshop.restore(archived)).toEqual(restored);
  });

  test("is gone for good when its snapshot was deleted too, and says so", async () => {
    using workshop = await messyWorkshop();
    const archived = await workshop.archive();
    await workshop.purge(archived, archived.snapshotRef ?? "");
    await workshop.purge(archived, archived.snapshotRef ?? "");
    expect(await workshop.repository.git("for-each-ref", "refs/banto")).toBe("");
    await expect(workshop.restore(archived)).rejects.toThrow("There is no snapshot refs/banto/");
    const without = { ...archived, snapshotRef: null };
    await expect(workshop.restore(without)).rejects.toThrow("no longer in the trash, and it has no snapshot");
  });
});

describe("a worktree that could not be brought back", () => {
  for (const step of RESTORE_STEPS.slice(0, -1)) {
    test(`is in the trash as before, and nobody else's work is taken for it later (${step})`, async () => {
      using workshop = await messyWorkshop();
      const { repository, path } = workshop;
      const before = { files: filesIn(path), ...(await state(path)) };
      const archived = await workshop.archive();
      const failing = (reached: string) => {
        if (reached === step) throw new Error("no more");
      };
      await expect(workshop.restore(archived, path, failing)).rejects.toThrow("no more");
      expect(existsSync(path)).toBe(false);
      expect(await repository.git("worktree", "list", "--porcelain")).not.toContain(path);
      await workshop.create();
      writeFileSync(join(path, "new work"), "new\n");
      await gitIn(path, "add", "new work");
      const present = { files: filesIn(path), ...(await state(path)) };
      const back = await workshop.restore(archived, workshop.place("back"));
      expect(back).toEqual({ branch: "banto/task", path: workshop.place("back"), notes: [] });
      const { log, ...restored } = { files: filesIn(back.path), ...(await state(back.path)) };
      expect(restored).toEqual({ files: before.files, status: before.status, staged: before.staged });
      expect(log).toContain(before.log);
      expect({ files: filesIn(path), ...(await state(path)) }).toEqual(present);
    });
  }
});

test("a worktree whose submodule was deleted comes back from its snapshot", async () => {
  using workshop = await Workshop.create();
  using library = await TestRepository.create("library");
  const { repository, path } = workshop;
  const allow = ["-c", "protocol.file.allow=always"];
  await repository.git(...allow, "submodule", "--quiet", "add", library.path, "lib");
  await repository.git("commit", "--quiet", "-m", "submodule");
  await workshop.create();
  rmSync(join(path, "lib"), { recursive: true });
  writeFileSync(join(path, "work"), "precious");
  const archived = await workshop.archive();
  await workshop.purge(archived);
  await workshop.restore(archived);
  expect(readFileSync(join(path, "work"), "utf8")).toBe("precious");
  expect(existsSync(join(path, "lib"))).toBe(false);
});

test("a submodule works where its worktree comes back to, also after a try at another place", async () => {
  using workshop = await Workshop.create();
  using library = await TestRepository.create("library");
  const { repository, path } = workshop;
  const allow = ["-c", "protocol.file.allow=always"];
  await repository.git(...allow, "submodule", "--quiet", "add", library.path, "deep/lib");
  await repository.git("commit", "--quiet", "-m", "submodule");
  await workshop.create();
  await gitIn(path, ...allow, "submodule", "--quiet", "update", "--init");
  const archived = await workshop.archive();
  const failing = (step: string) => {
    if (step === "on-branch") throw new Error("no more");
  };
  await expect(workshop.restore(archived, workshop.place("first"), failing)).rejects.toThrow("no more");
  const back = await workshop.restore(archived, workshop.place("second"));
  expect(await gitIn(join(back.path, "deep/lib"), "status", "--porcelain")).toBe("");
  expect(await gitIn(back.path, "submodule", "status")).toContain(await library.git("rev-parse", "HEAD"));
});

describe("the branch of a restored worktree", () => {
  test("is a new one when the old has moved on, is checked out elsewhere, or is in the way", async () => {
    for (const isPurged of [false, true]) {
      using workshop = await messyWorkshop();
      const { repository, path } = workshop;
      const tip = await repository.git("rev-parse", "banto/task");
      const archive = async () => {
        const archived = await workshop.archive();
        if (isPurged) await workshop.purge(archived);
        return archived;
      };
      const moved = await archive();
      await repository.git("update-ref", "refs/heads/banto/task", "main");
      expect((await workshop.restore(moved)).branch).toBe("banto/task-2");
      expect(await gitIn(path, "rev-parse", "HEAD")).toBe(tip);
      expect(await repository.git("rev-parse", "banto/task")).toBe(await repository.git("rev-parse", "main"));
      const elsewhere = await archive();
      await repository.git("checkout", "--quiet", "banto/task-2");
      expect((await workshop.restore(elsewhere)).branch).toBe("banto/task-2-2");
      expect(await gitIn(path, "rev-parse", "HEAD")).toBe(tip);
    }
  });

  test("is made again when it was deleted, and given to a detached HEAD", async () => {
    using workshop = await messyWorkshop();
    const { repository, path } = workshop;
    const tip = await gitIn(path, "rev-parse", "HEAD");
    const archived = await workshop.archive();
    await repository.git("branch", "-D", "banto/task");
    await repository.git("gc", "--quiet", "--prune=now");
    expect((await workshop.restore(archived)).branch).toBe("banto/task");
    expect(await gitIn(path, "rev-parse", "HEAD")).toBe(tip);
    await gitIn(path, "checkout", "--quiet", "--detach");
    await gitIn(path, "commit", "--quiet", "--allow-empty", "-m", "on no branch");
    const lone = await gitIn(path, "rev-parse", "HEAD");
    expect((await workshop.restore(await workshop.archive())).branch).toBe("banto/task-2");
    expect(await repository.git("rev-parse", "banto/task-2")).toBe(lone);
  });

  test("stays as it was in the middle of a merge and of a rebase", async () => {
    for (const command of ["merge", "rebase"]) {
      using workshop = await Workshop.create();
      const { repository, path } = workshop;
      await workshop.create();
      writeFileSync(join(path, "README.md"), "theirs\n");
      await gitIn(path, "commit", "--quiet", "-am", "theirs");
      await repository.commit("ours");
      await expect(gitIn(path, command, "main")).rejects.toThrow();
      const before = { files: filesIn(path), ...(await state(path)) };
      const archived = await workshop.archive();
      const restored = await workshop.restore(archived, workshop.place("back"));
      expect(restored.branch).toBe("banto/task");
      expect({ files: filesIn(restored.path), ...(await state(restored.path)) }).toEqual(before);
      await gitIn(restored.path, command, "--abort");
      expect(await gitIn(restored.path, "status", "--porcelain", "--branch")).toBe("## banto/task");
    }
  });
});
