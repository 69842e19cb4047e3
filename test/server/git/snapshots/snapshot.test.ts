import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { snapshotWorktree } from "../../../../src/server/git/snapshots/snapshot.ts";
import { moveToTrash } from "../../../../src/server/git/trash/trash.ts";
import { commitWork } from "../../../../src/server/git/work/commit.ts";
import { gitIn, TestRepository } from "../../../support/repository.ts";
import { bytes, filesIn, odd } from "../support/files.ts";
import { messyWorkshop } from "../support/messy.ts";
import { TASK, Workshop } from "../support/workshop.ts";

const administrationOf = (workshop: Workshop) => join(workshop.repository.path, ".git/worktrees", TASK);

/** Files that git takes for unchanged, whatever their lines end in. */
const ENDS = {
  ".gitattributes":
    "*.lf text eol=lf\n*.crlf text eol=crlf\n*.auto text=auto\n*.id ident\n*.u16 text working-tree-encoding=UTF-16LE\n",
  "a.crlf": "LF where it says\nCRLF\n",
  "b.crlf": "CRLF where it says\r\nCRLF\r\n",
  "c.lf": "CRLF where it says\r\nLF\r\n",
  "d.auto": "CRLF\r\n",
  "e.auto": "mixed\r\nends\n",
  "f.id": "$Id: mine$\n",
  "g.u16": Buffer.from("Привет\r\n", "utf16le"),
  "plain crlf": "one\r\n",
  "plain lf": "one\n",
};

describe("a snapshot", () => {
  test("is a commit of banto's on top of HEAD that holds the files and what was staged", async () => {
    using workshop = await messyWorkshop();
    const { repository, path } = workshop;
    const head = await gitIn(path, "rev-parse", "HEAD");
    const { ref, commit, notes } = await workshop.snapshot();
    expect(ref).toBe(`refs/banto/${TASK}/1`);
    expect(notes).toEqual([]);
    const show = (name: string) => repository.git("cat-file", "blob", `${commit}:${name}`);
    expect(await repository.git("rev-parse", `${commit}^1`)).toBe(head);
    expect(await repository.git("show", "-s", "--format=%an %ae %cn %ce", `${commit}`)).toBe(
      "banto banto@localhost banto banto@localhost",
    );
    expect(await show("staged")).toBe("changed again");
    expect(await repository.git("cat-file", "blob", `${commit}^2:staged`)).toBe("as staged");
    expect(await repository.git("cat-file", "blob", `${commit}^2:staged and gone`)).toBe("only in the index");
    expect(await show("folder")).toBe("now a file");
    expect(await show("dangling")).toBe("nowhere/at/all");
    expect(await show("nested/loose")).toBe("untracked there");
    expect(await show("new\nline")).toBe("newline in the name");
    for (const absent of ["deleted", "renamed", ".env", "ignored/deep/file", "staged and gone"]) {
      await expect(show(absent)).rejects.toThrow(/does not exist in|but not in/);
    }
    expect(await workshop.nextRef()).toBe(`refs/banto/${TASK}/2`);
  });

  test("leaves the worktree, its index, its HEAD, the configuration and the hooks as they were", async () => {
    using workshop = await messyWorkshop();
    const { repository, path } = workshop;
    const all = () => ({
      files: filesIn(path, []),
      git: filesIn(join(repository.path, ".git"), ["objects", "refs"]),
      index: statSync(join(administrationOf(workshop), "index")).mtimeMs,
      beside: filesIn(join(path, ".."), [TASK]),
    });
    const before = all();
    await workshop.snapshot();
    expect(all()).toEqual(before);
  });

  test("is made once: asked again, the first one is the answer, also when the files are gone", async () => {
    using workshop = await messyWorkshop();
    const { repository, path } = workshop;
    const ask = () => snapshotWorktree({ repository: repository.path, path, ref: "refs/banto/x/1" });
    const first = await ask();
    writeFileSync(join(path, "later"), "");
    expect((await ask()).commit).toBe(first.commit);
    rmSync(path, { recursive: true });
    expect((await ask()).commit).toBe(first.commit);
    expect((await workshop.snapshot()).notes).toEqual([`There is no snapshot: ${path} is gone.`]);
  });

  test("sees what git was told not to look at, and what changed within a second", async () => {
    using workshop = await messyWorkshop();
    const { repository, path } = workshop;
    await gitIn(path, "update-index", "--assume-unchanged", "kept");
    await gitIn(path, "update-index", "--skip-worktree", ".gitignore");
    writeFileSync(join(path, "kept"), "hidden change\n");
    writeFileSync(join(path, ".gitignore"), ".env\n# hidden too\n");
    writeFileSync(join(path, "committed"), "BY the agent\n"); // same size
    const second = Math.floor(statSync(join(administrationOf(workshop), "index")).mtimeMs / 1_000);
    utimesSync(join(path, "committed"), second, second);
    const { commit } = await workshop.snapshot();
    const show = (name: string) => repository.git("cat-file", "blob", `${commit}:${name}`);
    expect(await show("kept")).toBe("hidden change");
    expect(await show(".gitignore")).toContain("# hidden too");
    expect(await show("committed")).toBe("BY the agent");
  });

  test("keeps the bytes on disk where attributes would change them", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    await workshop.create();
    writeFileSync(
      join(path, ".gitattributes"),
      "*.txt text eol=lf\n*.id ident\n*.u16 text working-tree-encoding=UTF-16LE\n",
    );
    writeFileSync(join(path, "a.txt"), "one\r\ntwo\r\n");
    writeFileSync(join(path, "b.id"), "$Id: mine$\n");
    writeFileSync(join(path, "c.u16"), Buffer.from("hé\n", "utf16le"));
    const before = filesIn(path);
    const archived = await workshop.archive();
    expect(await repository.git("cat-file", "-s", `${archived.snapshotRef}:a.txt`)).toBe("10");
    await workshop.purge(archived);
    await workshop.restore(archived);
    expect(filesIn(path)).toEqual(before);
  });

  for (const autocrlf of ["false", "true", "input"]) {
    test(`gives back the bytes of committed files too, with core.autocrlf=${autocrlf}`, async () => {
      using workshop = await Workshop.create();
      const { repository, path } = workshop;
      await repository.git("config", "core.autocrlf", autocrlf);
      await repository.git("config", "core.safecrlf", "false");
      await workshop.create();
      for (const [name, content] of Object.entries(ENDS)) {
        writeFileSync(join(path, name), content);
        utimesSync(join(path, name), 1_000_000_000, 1_000_000_000); // long before the index
      }
      await gitIn(path, "add", ".");
      await gitIn(path, "commit", "--quiet", "-m", "ends of lines");
      appendFileSync(join(path, ".gitattributes"), "plain?lf text eol=crlf\n");
      const state = async () => ({
        files: filesIn(path),
        status: await gitIn(path, "status", "--porcelain"),
      });
      const before = await state();
      const archived = await workshop.archive();
      await workshop.purge(archived);
      await workshop.restore(archived);
      expect(await state()).toEqual(before);
    });
  }
});

describe("a snapshot of a worktree in a bad state", () => {
  test("is made from the files when the index is locked, broken or missing", async () => {
    using workshop = await messyWorkshop();
    const { repository } = workshop;
    const index = join(administrationOf(workshop), "index");
    writeFileSync(`${index}.lock`, "");
    const tree = async () => {
      const { commit, notes } = await workshop.snapshot();
      return { tree: await repository.git("rev-parse", `${commit}^{tree}`), notes: notes.join("\n") };
    };
    const locked = await tree();
    expect(locked.notes).not.toContain("index");
    writeFileSync(index, "not an index");
    const broken = await tree();
    expect(broken.tree).toBe(locked.tree);
    expect(broken.notes).toContain("what was staged is taken from its last commit");
    rmSync(index);
    expect((await tree()).tree).toBe(locked.tree);
  });

  test("is made without a commit, with a deleted branch, and with a conflict", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    await workshop.create();
    writeFileSync(join(path, "README.md"), "mine\n");
    await gitIn(path, "commit", "--quiet", "-am", "mine");
    await repository.commit("ours");
    await expect(gitIn(path, "merge", "main")).rejects.toThrow();
    const conflict = await workshop.snapshot();
    expect(await repository.git("cat-file", "blob", `${conflict.commit}:README.md`)).toContain("<<<<<<<");
    await gitIn(path, "merge", "--abort");
    await repository.git("update-ref", "-d", "refs/heads/banto/task");
    const unborn = await workshop.archive();
    expect(await repository.git("cat-file", "blob", `${unborn.snapshotRef}:README.md`)).toBe("mine");
    await workshop.purge(unborn);
    expect((await workshop.restore(unborn)).branch).toBe("banto/task");
    expect(readFileSync(join(path, "README.md"), "utf8")).toBe("mine\n");
  });

  test("holds a submodule's new commit", async () => {
    using workshop = await Workshop.create();
    using library = await TestRepository.create("library");
    const { repository, path } = workshop;
    const allow = ["-c", "protocol.file.allow=always"];
    await repository.git(...allow, "submodule", "--quiet", "add", library.path, "lib");
    await repository.git("commit", "--quiet", "-m", "submodule");
    expect((await workshop.create()).notes.join()).toContain("git submodule update --init");
    await gitIn(path, ...allow, "submodule", "--quiet", "update", "--init");
    await gitIn(join(path, "lib"), "commit", "--quiet", "--allow-empty", "-m", "inside");
    const inside = await gitIn(join(path, "lib"), "rev-parse", "HEAD");
    const archived = await workshop.archive();
    expect(archived.notes).toEqual([]);
    expect(await repository.git("rev-parse", `${archived.snapshotRef}:lib`)).toBe(inside);
    for (const place of [workshop.place("back"), path]) {
      await workshop.restore(archived, place);
      expect(await gitIn(join(place, "lib"), "rev-parse", "HEAD")).toBe(inside);
      expect(await gitIn(place, "status", "--porcelain")).toBe("M lib");
      if (place !== path) Object.assign(archived, await archiveAt(workshop, place));
    }
  });

  test("leaves out what cannot be read or is not a file, and goes on", async () => {
    using workshop = await messyWorkshop();
    const { repository, path } = workshop;
    rmSync(join(path, "kept"));
    Bun.spawnSync(["mkfifo", join(path, "kept")]);
    chmodSync(join(path, "untracked"), 0o000);
    const { ref, commit, notes } = await workshop.snapshot();
    expect(commit).not.toBeNull();
    expect(notes.join("\n")).toContain("kept could not be read and is not in the snapshot");
    expect(ref).toBe(`refs/banto/${TASK}/1-partial`);
    expect(
      (await snapshotWorktree({ repository: repository.path, path, ref: `refs/banto/${TASK}/1` })).ref,
    ).toBe(ref);
    if (process.getuid?.() !== 0) expect(notes.join("\n")).toContain("untracked could not be read");
  });

  test("says which files it can't hold because git would never check them out", async () => {
    using workshop = await Workshop.create();
    const { path } = workshop;
    await workshop.create();
    mkdirSync(join(path, ".GIT"));
    for (const name of ["git~1", ".GIT/x"]) writeFileSync(join(path, name), "work");
    const { ref, notes } = await workshop.snapshot();
    expect(notes).toEqual([
      ".GIT/x has a name that git refuses and is not in the snapshot.",
      "git~1 has a name that git refuses and is not in the snapshot.",
    ]);
    expect(ref).toEndWith("-partial");
  });

  test("holds the files of a repository inside whose name is no text", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    await workshop.create();
    const inside = bytes(path, "/", odd(0xe9));
    mkdirSync(inside);
    Bun.spawnSync(["sh", "-c", "git init --quiet ./*/"], { cwd: path });
    writeFileSync(bytes(inside, "/file"), "work");
    const { ref, notes } = await workshop.snapshot();
    expect(notes).toEqual([]);
    expect(await repository.git("ls-tree", "-r", "--name-only", ref ?? "")).toBe('README.md\n"\\351/file"');
  });

  test("is given up with a note when the repository cannot be written or its configuration is broken", async () => {
    using workshop = await messyWorkshop();
    const { repository, path } = workshop;
    writeFileSync(join(repository.path, ".git/config"), "[broken");
    const broken = await snapshotWorktree({ repository: repository.path, path, ref: "refs/banto/x/1" });
    expect(broken.ref).toBeNull();
    expect(broken.notes.join()).toContain("There is no snapshot: banto could not");
    mkdirSync(join(workshop.trash, "a"), { recursive: true });
    const files = filesIn(path);
    await moveToTrash({ repository: repository.path, path, trashPath: join(workshop.trash, "a") });
    expect(filesIn(join(workshop.trash, "a/worktree"))).toEqual(files);
  });

  test("of a worktree that became a link is refused, and nothing is moved or read through it", async () => {
    using workshop = await messyWorkshop();
    const { repository, path } = workshop;
    const away = repository.beside("away");
    renameSync(path, away);
    symlinkSync(away, path);
    await expect(workshop.archive()).rejects.toThrow(/is a symbolic link now.*Put the folder back/);
    await expect(commitWork({ repository: repository.path, path, message: "Everything" })).rejects.toThrow(
      /is a symbolic link now/,
    );
    expect(await repository.git("for-each-ref", "refs/banto/")).toBe("");
    unlinkSync(path);
    renameSync(away, path);
    expect((await workshop.archive()).snapshotRef).toBe(`refs/banto/${TASK}/1`);
  });

  test("reads no file through a link that took a folder's place", async () => {
    using workshop = await messyWorkshop();
    const { repository, path } = workshop;
    rmSync(join(path, "folder"), { force: true });
    mkdirSync(repository.beside("outside"));
    writeFileSync(repository.beside("outside/inside"), "not of this worktree");
    symlinkSync(repository.beside("outside"), join(path, "folder"));
    const { commit } = await workshop.snapshot();
    expect(await repository.git("cat-file", "-p", `${commit}:folder`)).toBe(repository.beside("outside"));
  });
});

async function archiveAt(workshop: Workshop, path: string) {
  const trashPath = join(workshop.trash, "again");
  await moveToTrash({ repository: workshop.repository.path, path, trashPath });
  return { trashPath };
}
