// Repositories inside a worktree: their own history goes with its snapshot, so that a purge takes nothing of it.

import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gitIn, TestRepository } from "../../../support/repository.ts";
import { bytes, filesIn, odd } from "../support/files.ts";
import { ALLOW, withSubmodules } from "../support/submodules.ts";
import { TASK, Workshop } from "../support/workshop.ts";

/** All that a repository can be asked about its history and its work. */
async function repositoryState(path: string) {
  const ask = (...args: string[]) => gitIn(path, ...args);
  return {
    refs: await ask("for-each-ref", "--format=%(refname) %(objectname)"),
    log: await ask("log", "--all", "--format=%H %s"),
    reflog: await ask("reflog", "--all", "--format=%H %gs"),
    stashes: await ask("stash", "list"),
    status: await ask("status", "--porcelain=v2", "--branch", "-z"),
    index: await ask("ls-files", "--stage", "-z"),
    remotes: await ask("remote", "-v"),
    broken: await ask("fsck", "--full", "--no-dangling"),
  };
}

async function commit(path: string, name: string, content = `${name}\n`): Promise<string> {
  writeFileSync(join(path, name), content);
  await gitIn(path, "add", name);
  await gitIn(path, "commit", "--quiet", "-m", name);
  return gitIn(path, "rev-parse", "HEAD");
}

/** Branches, a tag, a stash, a commit only the log knows of, staged, changed and new files, a program as a hook. */
async function workIn(path: string): Promise<void> {
  await commit(path, "given up");
  await gitIn(path, "reset", "--quiet", "--hard", "HEAD~1");
  await commit(path, "local");
  await gitIn(path, "branch", "index");
  await gitIn(path, "tag", "-a", "v1", "-m", "annotated");
  await gitIn(path, "commit", "--quiet", "--amend", "-m", "the tag alone holds what was before");
  await gitIn(path, "branch", "-f", "index");
  writeFileSync(join(path, "local"), "stashed\n");
  await gitIn(path, "stash", "--quiet");
  writeFileSync(join(path, "staged"), "staged\n");
  await gitIn(path, "add", "staged");
  writeFileSync(join(path, "staged"), "staged, then changed\n");
  writeFileSync(join(path, "new"), "new\n");
  const gitDirectory = await gitIn(path, "rev-parse", "--absolute-git-dir");
  mkdirSync(join(gitDirectory, "hooks"), { recursive: true });
  writeFileSync(join(gitDirectory, "hooks/post-commit"), "#!/bin/sh\n", { mode: 0o755 });
}

async function nestedAt(path: string): Promise<void> {
  mkdirSync(path, { recursive: true });
  await gitIn(path, "init", "--quiet", "--initial-branch=main");
  await commit(path, "first");
}

/** `git init` where the worktree has committed files. */
async function becomeRepository(worktree: string, below: string): Promise<string> {
  const path = join(worktree, below);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "of the worktree"), "committed\n");
  await gitIn(worktree, "add", below);
  await gitIn(worktree, "commit", "--quiet", "-m", below);
  await gitIn(path, "init", "--quiet", "--initial-branch=main");
  await commit(path, "first");
  return path;
}

/** What thirty days in the trash and a collection leave of it. */
async function purged(workshop: Workshop) {
  const archived = await workshop.archive();
  await workshop.purge(archived);
  await workshop.repository.git("reflog", "expire", "--expire=now", "--all");
  await workshop.repository.git("gc", "--quiet", "--prune=now");
  return archived;
}

describe("a purged worktree comes back with the history of", () => {
  test("its submodules and theirs: commits, branches, tags, stashes and what was not committed", async () => {
    using made = await withSubmodules();
    const { workshop } = made;
    const places = ["vendor/lib", "vendor/lib/deep"];
    for (const place of places) await workIn(join(workshop.path, place));
    const all = async (path: string) => ({
      files: filesIn(path, [".git", "vendor/lib/.git", "vendor/lib/deep/.git"]),
      outside: await gitIn(path, "status", "--porcelain"),
      inside: await Promise.all(places.map((place) => repositoryState(join(path, place)))),
    });
    const before = await all(workshop.path);
    const archived = await purged(workshop);
    expect(archived).toMatchObject({ snapshotRef: `refs/banto/${TASK}/1`, notes: [] });
    const back = await workshop.restore(archived, workshop.place("back"));
    expect(await all(back.path)).toEqual(before);
    await gitIn(back.path, "submodule", "--quiet", "foreach", "--recursive", "git status");
    expect(await workshop.repository.git("fsck", "--full")).not.toContain("missing");
  }, 30_000);

  test("repositories in it, in one another and under any name, in the middle of a rebase too", async () => {
    using workshop = await Workshop.create();
    const { path } = workshop;
    await workshop.create();
    await nestedAt(join(path, "nested"));
    await workIn(join(path, "nested"));
    await nestedAt(join(path, "nested/deeper"));
    await workIn(join(path, "nested/deeper"));
    // In a folder of which files are committed, and in another one of those.
    await workIn(await becomeRepository(path, "tracked"));
    await nestedAt(join(path, "tracked/deeper"));
    await workIn(await becomeRepository(path, "also/tracked"));
    await nestedAt(join(path, "new\nline é"));
    const rebasing = join(path, "new\nline é");
    await gitIn(rebasing, "branch", "other");
    await commit(rebasing, "first", "mine\n");
    await gitIn(rebasing, "checkout", "--quiet", "other");
    await commit(rebasing, "first", "theirs\n");
    await expect(gitIn(rebasing, "rebase", "main")).rejects.toThrow();
    writeFileSync(join(rebasing, "staged meanwhile"), "only in the index\n");
    await gitIn(rebasing, "add", "staged meanwhile");
    rmSync(join(rebasing, "staged meanwhile"));
    mkdirSync(bytes(path, "/", odd(0xe9)));
    Bun.spawnSync(["sh", "-c", "cd ./?/ && git init --quiet && git commit --quiet --allow-empty -m odd"], {
      cwd: path,
      env: {
        ...process.env,
        LC_ALL: "C",
        GIT_AUTHOR_NAME: "T",
        GIT_AUTHOR_EMAIL: "t@e",
        GIT_COMMITTER_NAME: "T",
        GIT_COMMITTER_EMAIL: "t@e",
      },
    });
    const oddHead = readFileSync(bytes(path, "/", odd(0xe9), "/.git/logs/HEAD"), "utf8");
    const places = [
      ...["nested", "nested/deeper", "new\nline é"],
      ...["tracked", "tracked/deeper", "also/tracked"],
    ];
    const all = async () => ({
      files: filesIn(path, [
        ".git",
        ...places.map((name) => Buffer.from(`${name}/.git`).toString("latin1")),
        "\xe9/.git",
      ]),
      inside: await Promise.all(places.map((place) => repositoryState(join(path, place)))),
    });
    const before = await all();
    const archived = await purged(workshop);
    expect(archived.notes).toEqual([]);
    await workshop.restore(archived);
    expect(await all()).toEqual(before);
    expect(readFileSync(bytes(path, "/", odd(0xe9), "/.git/logs/HEAD"), "utf8")).toBe(oddHead);
    await gitIn(rebasing, "rebase", "--abort");
    expect(await gitIn(rebasing, "branch", "--show-current")).toBe("other");
  }, 30_000);

  test("a submodule whose files were deleted", async () => {
    using made = await withSubmodules();
    const { workshop } = made;
    const lib = join(workshop.path, "vendor/lib");
    const head = await commit(lib, "local");
    rmSync(lib, { recursive: true });
    const archived = await purged(workshop);
    expect(archived.snapshotRef).toBe(`refs/banto/${TASK}/1`);
    await workshop.restore(archived);
    expect(existsSync(lib)).toBe(false);
    const module = join(workshop.repository.path, ".git/worktrees", TASK, "modules/vendor/lib");
    expect(await gitIn("/", `--git-dir=${module}`, "--work-tree=/", "rev-parse", "HEAD")).toBe(head);
  });
});

test("history that is in an earlier snapshot is not kept twice", async () => {
  using workshop = await Workshop.create();
  const { repository, path } = workshop;
  await workshop.create();
  await nestedAt(join(path, "nested"));
  const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536))).toString("latin1");
  await commit(join(path, "nested"), "noise", noise);
  await workshop.snapshot();
  const size = async () => {
    const counted = await repository.git("count-objects", "-v");
    return [...counted.matchAll(/^size(?:-pack)?: (\d+)$/gm)].reduce((sum, [, kib]) => sum + Number(kib), 0);
  };
  const once = await size();
  for (let n = 0; n < 3; n += 1) await workshop.snapshot();
  expect((await size()) - once).toBeLessThan(100);
});

describe("a snapshot is partial, and says why, with", () => {
  const partial = `refs/banto/${TASK}/1-partial`;

  test("a repository inside that is a shallow clone, or whose objects are not all there", async () => {
    using workshop = await Workshop.create();
    using library = await TestRepository.create("library");
    await library.commit("two");
    const { path } = workshop;
    await workshop.create();
    await gitIn(path, ...ALLOW, "clone", "--quiet", "--depth=1", `file://${library.path}`, "shallow");
    await nestedAt(join(path, "broken"));
    await commit(join(path, "broken"), "lost", "nowhere else\n");
    const lost = await gitIn(join(path, "broken"), "rev-parse", "HEAD:lost");
    await commit(join(path, "broken"), "lost", "changed\n");
    rmSync(join(path, "broken/.git/objects", lost.slice(0, 2), lost.slice(2)));
    const { ref, notes } = await workshop.snapshot();
    expect(ref).toBe(partial);
    expect(notes.join("\n")).toContain(
      "The history of shallow is not in the snapshot: it is a shallow clone",
    );
    expect(notes.join("\n")).toContain("The history of broken is not in the snapshot: ");
  });

  test("files where a submodule belongs, and one whose repository is a link", async () => {
    using made = await withSubmodules();
    const { workshop } = made;
    const { path, repository } = workshop;
    const lib = join(path, "vendor/lib");
    rmSync(join(lib, ".git"));
    appendFileSync(join(lib, "README.md"), "work");
    const { ref, notes } = await workshop.snapshot();
    expect(ref).toBe(partial);
    expect(notes.join()).toContain("vendor/lib");
    rmSync(lib, { recursive: true });
    mkdirSync(lib);
    symlinkSync(join(repository.path, ".git"), join(lib, ".git"));
    expect((await workshop.snapshot()).ref).toEndWith("-partial");
  });
});

describe("a snapshot that somebody made up", () => {
  test("puts no repository outside the worktree", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    await workshop.create();
    await nestedAt(join(path, "nested"));
    const archived = await workshop.archive();
    await workshop.purge(archived);
    const outside = repository.beside("outside");
    mkdirSync(outside);
    const read = (what: string) => repository.git("cat-file", "commit", what);
    const forge = async (text: string) => {
      const file = repository.beside("forged");
      writeFileSync(file, `${text}\n`);
      return repository.git("hash-object", "-t", "commit", "-w", file);
    };
    const ref = archived.snapshotRef ?? "";
    const message = await read(ref);
    const inside = /^Inside: (\w+)$/m.exec(message)?.[1] ?? "";
    for (const place of ['Below: "../../../outside"', 'Module: "../../../../outside"']) {
      const line = new RegExp(`^${place.split(" ")[0]}.*$`, "m");
      const forged = await forge((await read(inside)).replace(line, place));
      await repository.git("update-ref", ref, await forge(message.replace(inside, forged)));
      await expect(workshop.restore(archived)).rejects.toThrow("is not a snapshot of banto's");
      expect(filesIn(outside, [])).toEqual({});
    }
  });
});
