import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitIn } from "../../support/repository.ts";
import { bytes, filesIn, odd } from "./support/files.ts";
import { ATTRIBUTES, Sentinel } from "./support/sentinel.ts";
import { Workshop } from "./support/workshop.ts";

const NAMES = ["a.evil", "b.hidden", "c.mine", "d.long"];

/** A repository with filtered files, in which an agent has set a program at every place git would run one from. */
async function hostileWorkshop() {
  const workshop = await Workshop.create();
  const { repository } = workshop;
  writeFileSync(join(repository.path, ".gitattributes"), ATTRIBUTES);
  for (const name of NAMES) writeFileSync(join(repository.path, name), `${name}\n`);
  await repository.git("add", ".");
  await repository.git("commit", "--quiet", "-m", "filtered files");
  const sentinel = new Sentinel(workshop);
  await sentinel.configuration();
  sentinel.hooks();
  sentinel.ran();
  return { workshop, sentinel };
}

/** git as a person would run it; that it fails on a sentinel's answer is no matter. */
const unguarded = (path: string, ...args: string[]) => gitIn(path, ...args).catch(() => undefined);

describe("a program that an agent set to run", () => {
  test("does not when a worktree is made, though it does for git alone", async () => {
    const { workshop, sentinel } = await hostileWorkshop();
    using _ = workshop;
    const created = await workshop.create({ include: "*.env" });
    expect(sentinel.ran()).toEqual([]);
    expect(filesIn(workshop.path)["a.evil"]).toBe("644 a.evil\n");
    expect(created.notes.join("\n")).toContain(
      "1 file passes through the filter evil, which banto does not run",
    );
    await unguarded(workshop.repository.path, "worktree", "add", workshop.place("unguarded"));
    await unguarded(workshop.repository.path, "status");
    expect(sentinel.ran()).toEqual(
      expect.arrayContaining(["fsmonitor", "included-smudge", "process", "reference-transaction", "smudge"]),
    );
  });

  test("does not when a worktree is archived, restored and purged, though it does for git alone", async () => {
    const { workshop, sentinel } = await hostileWorkshop();
    using _ = workshop;
    const { path } = workshop;
    await workshop.create();
    await sentinel.worktreeConfiguration(path);
    for (const name of NAMES) {
      writeFileSync(join(path, name), `${name.toUpperCase()}\n`); // as long as before, and within the index's second
      utimesSync(join(path, name), 0, 0);
      writeFileSync(join(path, `new-${name}`), "new\n");
    }
    sentinel.ran();
    const files = filesIn(path);
    const archived = await workshop.archive();
    expect(sentinel.ran()).toEqual([]);
    await workshop.restore(archived);
    expect(sentinel.ran()).toEqual([]);
    expect(filesIn(path)).toEqual(files);
    const again = await workshop.archive();
    await workshop.purge(again);
    await workshop.restore(again);
    expect(sentinel.ran()).toEqual([]);
    expect(filesIn(path)).toEqual(files);
    await sentinel.worktreeConfiguration(path);
    await unguarded(path, "status");
    await unguarded(path, "add", "--all");
    const expected = [
      "clean",
      "included-clean",
      "post-index-change",
      "process",
      "worktree-clean",
      "worktree-fsmonitor",
    ];
    expect(sentinel.ran()).toEqual(expect.arrayContaining(expected));
  });

  test("does not as a hook of an ordinary repository, though it does for git alone", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    const sentinel = new Sentinel(workshop);
    sentinel.hooks();
    await sentinel.configuredHooks();
    await workshop.create();
    writeFileSync(join(path, "work"), "work");
    await gitIn(path, "checkout", "--quiet", "--detach");
    sentinel.ran();
    const archived = await workshop.archive();
    await workshop.restore(archived);
    const again = await workshop.archive();
    await workshop.purge(again, again.snapshotRef ?? "");
    const checkpoint = (step: string) => {
      if (step === "filled") throw new Error("no more");
    };
    await expect(workshop.create({ checkpoint })).rejects.toThrow("no more");
    expect(sentinel.ran()).toEqual([]);
    await unguarded(repository.path, "branch", "unguarded");
    const isKnown = (await repository.git("hook", "list", "reference-transaction").catch(() => "")).includes(
      "plain",
    );
    expect(sentinel.ran()).toEqual([...(isKnown ? ["configured-hook"] : []), "reference-transaction"]);
  });

  test("keeps banto from changing a repository where it can't be told not to", async () => {
    using workshop = await Workshop.create();
    const { path } = workshop.repository;
    const hook = bytes('[hook "', odd(0xe9), '"]\n\tevent = reference-transaction\n\tcommand = true\n');
    appendFileSync(join(path, ".git/config"), hook);
    await expect(workshop.create()).rejects.toThrow("which can't be switched off");
  });

  test("does not in a repository that the worktree's own pointers lead to", async () => {
    const { workshop, sentinel } = await hostileWorkshop();
    using _ = workshop;
    using honest = await Workshop.create();
    await honest.create();
    const files = filesIn(honest.path);
    rmSync(join(honest.path, ".git"));
    writeFileSync(join(honest.path, ".git"), `gitdir: ${join(workshop.repository.path, ".git")}\n`);
    const archived = await honest.archive();
    expect(archived.snapshotRef).not.toBeNull();
    expect(sentinel.ran()).toEqual([]);
    await honest.restore(archived);
    expect(filesIn(honest.path)).toEqual(files);
    expect(await gitIn(honest.path, "rev-parse", "--git-common-dir")).toBe(
      join(honest.repository.path, ".git"),
    );
  });

  test("does not through variables in the server's own environment", async () => {
    const { workshop, sentinel } = await hostileWorkshop();
    using _ = workshop;
    const hostile = {
      GIT_DIR: "/nowhere",
      GIT_EXTERNAL_DIFF: workshop.repository.beside("sentinel-gpg"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.hooksPath",
      GIT_CONFIG_VALUE_0: join(workshop.repository.path, ".git/hooks"),
    };
    const before = { ...process.env };
    Object.assign(process.env, hostile);
    try {
      await workshop.create();
      await workshop.restore(await workshop.archive());
    } finally {
      for (const name of Object.keys(hostile)) delete process.env[name];
      Object.assign(process.env, before);
    }
    expect(sentinel.ran()).toEqual([]);
    expect(await gitIn(workshop.path, "rev-parse", "HEAD")).toBe(
      await workshop.repository.git("rev-parse", "main"),
    );
  });
});

describe("a partial clone", () => {
  test("is never fetched into: what is missing is said with the next step", async () => {
    const { workshop, sentinel } = await hostileWorkshop();
    using _ = workshop;
    const source = workshop.repository;
    await source.git("config", "uploadpack.allowFilter", "true");
    const clone = source.beside("partial");
    await source.git(
      "clone",
      "--quiet",
      "--no-checkout",
      "--filter=blob:none",
      `file://${source.path}`,
      clone,
    );
    await gitIn(clone, "config", "remote.origin.uploadpack", source.beside("sentinel-gpg"));
    sentinel.ran();
    await expect(workshop.create({ repository: clone })).rejects.toThrow("some of its objects are missing");
    expect(sentinel.ran()).toEqual([]);
    await gitIn(clone, "config", "--unset", "remote.origin.uploadpack");
    await gitIn(clone, "-c", "core.fsmonitor=false", "checkout", "--quiet", "main");
    await workshop.create({ repository: clone });
    expect(filesIn(workshop.path)["README.md"]).toBe("644 first\n");
  });
});

describe("files copied into a new worktree", () => {
  test("are the ignored ones that .worktreeinclude and the project name, with their modes", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    const write = (name: string, content: string, mode = 0o644) =>
      writeFileSync(join(repository.path, name), content, { mode });
    write(".gitignore", ".env*\nsecrets/\nlocal.*\n/dangling\nnode_modules\n");
    write(".worktreeinclude", "# keys\r\n.env*\r\n!.env.example\r\n");
    await repository.git("add", ".");
    await repository.git("commit", "--quiet", "-m", "ignore");
    write(".env", "A=1\n", 0o600);
    write(".env.example", "A=\n");
    write("not-ignored", "no\n");
    write("local.json", "{}\n");
    mkdirSync(join(repository.path, "secrets/deep"), { recursive: true });
    write("secrets/deep/key", "k\n", 0o400);
    write("secrets/deep/new\nline", "n\n");
    symlinkSync("../nowhere", join(repository.path, "dangling"));
    mkdirSync(join(repository.path, "node_modules/x"), { recursive: true });
    write("node_modules/x/y", "y\n");
    const created = await workshop.create({ include: "/secrets/\nnot-ignored\n/dangling" });
    expect(created.notes).toEqual([]);
    const {
      "README.md": _readme,
      ".gitignore": _ignore,
      ".worktreeinclude": _include,
      ...copied
    } = filesIn(path);
    expect(copied).toEqual({
      ".env": "600 A=1\n",
      "secrets/": "755",
      "secrets/deep/": "755",
      "secrets/deep/key": "400 k\n",
      "secrets/deep/new\nline": "644 n\n",
      dangling: `link to ${repository.beside("nowhere")}`,
    });
  });

  test("are never written through a link that the repository has in a folder's place", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    mkdirSync(repository.beside("outside"));
    symlinkSync(repository.beside("outside"), join(repository.path, "config"));
    writeFileSync(join(repository.path, ".gitignore"), "*.env\n");
    await repository.git("add", ".");
    await repository.git("commit", "--quiet", "-m", "link");
    rmSync(join(repository.path, "config"));
    mkdirSync(join(repository.path, "config"));
    writeFileSync(join(repository.path, "config/a.env"), "secret");
    const { notes } = await workshop.create({ include: "*.env" });
    expect(notes).toEqual(["config/a.env was not copied: its folder is a symbolic link in the worktree."]);
    expect(filesIn(repository.beside("outside"))).toEqual({});
    expect(filesIn(path).config).toStartWith("link to ");
  });
});
