import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inspectRepository } from "../../../../src/server/git/repository/repository.ts";
import { surveyRepository } from "../../../../src/server/git/repository/survey.ts";
import { createWorktree } from "../../../../src/server/git/worktrees/worktree.ts";
import { gitIn, TestRepository } from "../../../support/repository.ts";
import { filesIn } from "../support/files.ts";
import { Workshop } from "../support/workshop.ts";

const read = (...parts: string[]) => readFileSync(join(...parts), "utf8");

describe("a new worktree", () => {
  test("has the base branch's files, clean, on a branch of its own that tracks nothing", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    const created = await workshop.create();
    expect(created).toEqual({
      branch: "banto/task",
      baseCommit: await repository.git("rev-parse", "main"),
      notes: [],
    });
    expect(filesIn(path)).toEqual({ "README.md": "644 first\n" });
    expect(await gitIn(path, "status", "--porcelain", "--branch")).toBe("## banto/task");
    await repository.git("worktree", "prune", "--expire=now");
    expect(await gitIn(path, "worktree", "list", "--porcelain")).toContain("branch refs/heads/banto/task");
    expect(await repository.git("worktree", "list")).not.toContain("prunable");
    expect(await gitIn(path, "rev-parse", "--show-toplevel")).toBe(path);
    expect(await repository.git("fsck", "--strict")).toBe("");
    await expect(gitIn(path, "rev-parse", "@{upstream}")).rejects.toThrow("no upstream");
  });

  test("takes the next free branch name when the wanted one is taken or blocked", async () => {
    using workshop = await Workshop.create();
    await workshop.repository.git("branch", "banto/task");
    expect((await workshop.create()).branch).toBe("banto/task-2");
    await workshop.repository.git("branch", "blocked");
    const other = await workshop.create({ path: workshop.place("other"), branch: "blocked/task" });
    expect(other.branch).toBe("blocked-2/task");
  });

  test("takes the next free one too when the wanted one is taken at the last moment, files and all", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    const wish = { repository: repository.path, base: "main", branch: "banto/task" };
    const survey = await surveyRepository(wish);
    await repository.git("branch", "banto/task");
    expect((await workshop.create({ survey })).branch).toBe("banto/task-2");
    expect(filesIn(path)).toEqual({ "README.md": "644 first\n" });
    expect(await gitIn(path, "status", "--porcelain", "--branch")).toBe("## banto/task-2");
    expect(await repository.git("for-each-ref", "--format=%(refname)", "refs/heads")).toBe(
      ["banto/task", "banto/task-2", "main"].map((name) => `refs/heads/${name}`).join("\n"),
    );
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("starts from the base branch also beside a tag of the same name", async () => {
    using workshop = await Workshop.create();
    const { repository } = workshop;
    await repository.git("tag", "main");
    await repository.commit("second");
    const { baseBranch } = await inspectRepository(repository.path);
    expect(baseBranch).toBe("main");
    const second = await repository.git("rev-parse", "refs/heads/main");
    for (const base of [baseBranch, null, "heads/main"]) {
      expect((await workshop.create({ base })).baseCommit).toBe(second);
    }
  });

  test("starts from the remote's branch when the local one is gone", async () => {
    using workshop = await Workshop.create();
    const clone = await workshop.repository.clone("clone");
    await gitIn(clone, "checkout", "--quiet", "--detach");
    await gitIn(clone, "branch", "-D", "main");
    const { baseCommit } = await workshop.create({ repository: clone });
    expect(baseCommit).toBe(await gitIn(clone, "rev-parse", "origin/main"));
  });

  test("without a base starts from the branch found, or from a detached HEAD", async () => {
    using workshop = await Workshop.create();
    const { repository } = workshop;
    const commit = await repository.git("rev-parse", "HEAD");
    expect((await workshop.create({ base: null })).baseCommit).toBe(commit);
    await repository.git("checkout", "--quiet", "--detach");
    await repository.git("branch", "-D", "main", "banto/task", "--force").catch(() => undefined);
    using lone = Workshop.around(await TestRepository.create());
    await lone.repository.git("checkout", "--quiet", "--detach");
    await lone.repository.git("branch", "-D", "main");
    expect((await lone.create({ base: null })).baseCommit).toBe(
      await lone.repository.git("rev-parse", "HEAD"),
    );
  });

  test("is refused with the next step when there is no commit, no such base or no repository", async () => {
    using empty = Workshop.around(await TestRepository.empty());
    for (const base of [null, "main"]) {
      await expect(empty.create({ base })).rejects.toThrow("has no commit to start from. Make one");
    }
    using workshop = await Workshop.create();
    await expect(workshop.create({ base: "gone" })).rejects.toThrow(
      `The base branch gone is no longer in ${workshop.repository.path}. Choose another one`,
    );
    rmSync(workshop.repository.path, { recursive: true });
    await expect(workshop.create()).rejects.toThrow("is no longer a git repository. Put it back");
    expect(existsSync(workshop.path)).toBe(false);
  });

  test("can be made of a bare, a shallow and a sha256 repository, and of a linked worktree", async () => {
    using source = await Workshop.create();
    await source.repository.commit("second");
    for (const kind of ["--bare", "--depth=1"]) {
      const clone = source.repository.beside(`clone${kind}`);
      await source.repository.git("clone", "--quiet", kind, `file://${source.repository.path}`, clone);
      const path = source.place(`of${kind}`);
      await source.create({ repository: clone, path, include: ".env" });
      expect(filesIn(path)).toEqual({ "README.md": "644 second\n" });
      expect(await gitIn(path, "status", "--porcelain")).toBe("");
    }
    const linked = await source.repository.linkedWorktree("linked");
    await source.create({ repository: linked });
    expect(await gitIn(source.path, "rev-parse", "--git-common-dir")).toBe(
      join(source.repository.path, ".git"),
    );
    const modern = source.repository.beside("sha256");
    mkdirSync(modern);
    await gitIn(modern, "init", "--quiet", "--object-format=sha256", "--initial-branch=main");
    await gitIn(modern, "commit", "--quiet", "--allow-empty", "-m", "first");
    await source.create({ repository: modern, path: source.place("sha256") });
    expect(await gitIn(source.place("sha256"), "status", "--porcelain")).toBe("");
  });

  test("comes to be beside a locked index, and many at once in one repository", async () => {
    using workshop = await Workshop.create();
    writeFileSync(join(workshop.repository.path, ".git/index.lock"), "");
    const linked = await workshop.repository.linkedWorktree("linked");
    const names = Array.from({ length: 12 }, (_, n) => `many-${n}`);
    const created = await Promise.all(
      names.map((name, n) =>
        workshop.create({
          path: workshop.place(name),
          repository: n % 2 ? linked : workshop.repository.path,
        }),
      ),
    );
    expect(new Set(created.map(({ branch }) => branch)).size).toBe(12);
    for (const name of names) expect(filesIn(workshop.place(name))).toEqual({ "README.md": "644 first\n" });
  });

  test("keeps line endings, encodings and sparse patterns as git itself would", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    writeFileSync(
      join(repository.path, ".gitattributes"),
      "*.bat text eol=crlf\n*.u16 text working-tree-encoding=UTF-16LE\n",
    );
    writeFileSync(join(repository.path, "run.bat"), "a\r\nb\r\n");
    writeFileSync(join(repository.path, "wide.u16"), Buffer.from("hé\n", "utf16le"));
    mkdirSync(join(repository.path, "hidden"));
    writeFileSync(join(repository.path, "hidden/file"), "x");
    await repository.git("add", ".");
    await repository.git("commit", "--quiet", "-m", "attributes");
    await repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/hidden/");
    await workshop.create();
    await repository.git("worktree", "add", "--quiet", repository.beside("by-hand"));
    expect(filesIn(path)).toEqual(filesIn(repository.beside("by-hand")));
    expect(await gitIn(path, "status", "--porcelain")).toBe("");
    expect(existsSync(join(path, "hidden"))).toBe(false);
  });
});

describe("what is in the way of a new worktree", () => {
  test("is kept in the trash, files and git's own data alike", async () => {
    using workshop = await Workshop.create();
    const { repository, path, trash } = workshop;
    await workshop.create({ owner: "first" });
    writeFileSync(join(path, "work"), "precious");
    await gitIn(path, "add", "work");
    const created = await workshop.create({ owner: "second" });
    expect(created.branch).toBe("banto/task-2");
    expect(created.notes).toEqual([
      `Something was in the way at ${path}, and is now in ${join(trash, "second")}.`,
    ]);
    const back = await workshop.restore(
      { trashPath: join(trash, "second"), snapshotRef: null },
      workshop.place("back"),
    );
    expect(back.branch).toBe("banto/task");
    expect(await gitIn(back.path, "status", "--porcelain")).toBe("A  work");
    expect(await repository.git("worktree", "list")).not.toContain("prunable");
  });

  test("may be a plain folder, a file, or a registration whose files are gone", async () => {
    using workshop = await Workshop.create();
    const { path, trash } = workshop;
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "left"), "over");
    await workshop.create({ owner: "folder" });
    expect(read(trash, "folder/worktree/left")).toBe("over");
    rmSync(path, { recursive: true });
    expect((await workshop.create({ owner: "gone" })).branch).toBe("banto/task-2");
    expect(filesIn(path)).toEqual({ "README.md": "644 first\n" });
    const file = workshop.place("file");
    writeFileSync(file, "a file");
    await workshop.create({ owner: "file", path: file });
    expect(read(trash, "file/worktree")).toBe("a file");
    const empty = workshop.place("empty");
    mkdirSync(empty);
    expect((await workshop.create({ owner: "empty", path: empty })).notes).toEqual([]);
  });

  test("is nothing when the same one asks again: it gets what it got", async () => {
    using workshop = await Workshop.create();
    const input = workshop.createInput();
    const first = await createWorktree(input);
    writeFileSync(join(workshop.path, "work"), "kept");
    const made = statSync(workshop.path).ino;
    expect(await createWorktree(input)).toEqual(first);
    expect(statSync(workshop.path).ino).toBe(made);
    expect(read(workshop.path, "work")).toBe("kept");
  });
});
