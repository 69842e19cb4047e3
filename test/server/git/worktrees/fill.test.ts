import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { snapshotWorktree } from "../../../../src/server/git/snapshots/snapshot.ts";
import { moveToTrash } from "../../../../src/server/git/trash/trash.ts";
import { gitIn } from "../../../support/repository.ts";
import { filesIn } from "../support/files.ts";
import { Workshop } from "../support/workshop.ts";

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");
const pointer = (content: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(content)}\nsize ${content.length}\n`;

/** As git-lfs would have left it: pointers committed, one of the two contents in the local store. */
async function lfsWorkshop(): Promise<Workshop> {
  const workshop = await Workshop.create();
  const { repository } = workshop;
  writeFileSync(join(repository.path, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  writeFileSync(join(repository.path, "here.bin"), pointer("big content"));
  writeFileSync(join(repository.path, "away.bin"), pointer("elsewhere"));
  writeFileSync(join(repository.path, "plain.bin"), "never was a pointer");
  await repository.git("add", ".");
  await repository.git("commit", "--quiet", "-m", "lfs");
  const oid = sha256("big content");
  const object = join(repository.path, ".git/lfs/objects", oid.slice(0, 2), oid.slice(2, 4), oid);
  mkdirSync(dirname(object), { recursive: true });
  writeFileSync(object, "big content");
  return workshop;
}

describe("LFS files", () => {
  test("are filled from the store on this machine, and the missing ones counted", async () => {
    using workshop = await lfsWorkshop();
    const { path } = workshop;
    const { notes } = await workshop.create();
    expect(notes).toEqual([
      "1 LFS file is not on this machine yet, so the worktree has only a pointer. Add `git lfs pull` to the project's setup command to fetch them.",
    ]);
    expect(readFileSync(join(path, "here.bin"), "utf8")).toBe("big content");
    expect(readFileSync(join(path, "away.bin"), "utf8")).toBe(pointer("elsewhere"));
    expect(readFileSync(join(path, "plain.bin"), "utf8")).toBe("never was a pointer");
  });

  test("stay pointers in a snapshot unless they were changed, and come back filled", async () => {
    using workshop = await lfsWorkshop();
    const { repository, path } = workshop;
    await workshop.create();
    writeFileSync(join(path, "away.bin"), "new content");
    const files = filesIn(path);
    const archived = await workshop.archive();
    const blob = (name: string) => repository.git("cat-file", "blob", `${archived.snapshotRef}:${name}`);
    expect(await blob("here.bin")).toBe(pointer("big content").trim());
    expect(await blob("away.bin")).toBe("new content");
    await workshop.purge(archived);
    await workshop.restore(archived);
    expect(filesIn(path)).toEqual(files);
  });
});

describe("files of any other filter", () => {
  test("are as git stores them, and go through it with the command the note names", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    writeFileSync(join(repository.path, ".gitattributes"), "*.rot filter=rot\n");
    for (const kind of ["clean", "smudge"]) {
      await repository.git("config", `filter.rot.${kind}`, "tr a-zA-Z n-za-mN-ZA-M");
    }
    writeFileSync(join(repository.path, "word.rot"), "hello\n");
    await repository.git("add", ".");
    await repository.git("commit", "--quiet", "-m", "rot");
    const { notes } = await workshop.create();
    expect(notes).toEqual([
      "1 file passes through the filter rot, which banto does not run. Add `git checkout -- .` to the project's setup command to run it.",
    ]);
    expect(readFileSync(join(path, "word.rot"), "utf8")).toBe("uryyb\n");
    await gitIn(path, "checkout", "--", ".");
    expect(readFileSync(join(path, "word.rot"), "utf8")).toBe("hello\n");
    expect(await gitIn(path, "status", "--porcelain")).toBe("");
  });
});

describe("worktrees inside a worktree", () => {
  test("go to the trash and come back with it, staged work and all", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    await workshop.create();
    await gitIn(path, "worktree", "add", "--quiet", "-b", "inner", ".agents/inner");
    const inner = (place: string) => join(place, ".agents/inner");
    writeFileSync(join(inner(path), "staged"), "in the inner one");
    await gitIn(inner(path), "add", "staged");
    const archived = await workshop.archive();
    await repository.git("worktree", "prune");
    expect(await repository.git("worktree", "list")).not.toContain("inner");
    const back = await workshop.restore(archived, workshop.place("back"));
    expect(await gitIn(inner(back.path), "status", "--porcelain", "--branch")).toBe("## inner\nA  staged");
    expect(await repository.git("worktree", "list")).not.toContain("prunable");
  });
});

describe("a worktree that lost its ties", () => {
  test("is archived and comes back as files when git's own data about it is gone", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    await workshop.create();
    writeFileSync(join(path, "work"), "kept");
    rmSync(join(repository.path, ".git/worktrees"), { recursive: true });
    const archived = await workshop.archive();
    expect(await repository.git("cat-file", "blob", `${archived.snapshotRef}:work`)).toBe("kept");
    const { notes } = await workshop.restore(archived);
    expect(notes.join()).toContain("its files are back, but on no branch");
    expect(readFileSync(join(path, "work"), "utf8")).toBe("kept");
  });

  test("is kept in the trash when its repository is gone", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    await workshop.create();
    writeFileSync(join(path, "work"), "kept");
    rmSync(repository.path, { recursive: true });
    const trashPath = join(workshop.trash, "archived");
    const snapshot = await snapshotWorktree({ repository: repository.path, path, ref: "refs/banto/x/1" });
    expect(snapshot.notes.join()).toContain(`There is no snapshot: ${repository.path} is not there any more`);
    await moveToTrash({ repository: repository.path, path, trashPath });
    expect(readFileSync(join(trashPath, "worktree/work"), "utf8")).toBe("kept");
    await expect(workshop.restore({ trashPath, snapshotRef: null })).rejects.toThrow(
      "is no longer a git repository",
    );
    await workshop.purge({ trashPath });
  });

  test("is left a repository of its own when somebody made it one", async () => {
    using workshop = await Workshop.create();
    const { path } = workshop;
    await workshop.create();
    rmSync(join(path, ".git"));
    await gitIn(path, "init", "--quiet");
    const before = filesIn(path, []);
    const { notes } = await workshop.restore(await workshop.archive());
    expect(notes.join()).toContain("has become a repository of its own");
    expect(filesIn(path, [])).toEqual(before);
  });
});
