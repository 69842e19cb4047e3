// Shapes that people's repositories have, each left in a worktree as it is in the middle of work.

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitIn, type TestRepository } from "./repository.ts";

const ALLOW = ["-c", "protocol.file.allow=always"];

export interface Shape {
  name: string;
  /** What the project's repository has before. */
  prepare?(repository: string, library: TestRepository): Promise<void>;
  /** What an agent leaves in its worktree. */
  work(path: string): Promise<void>;
  /** Repositories inside. */
  inside?: string[];
  /** It is never purged by itself, because its snapshot doesn't hold everything. */
  isKept?: true;
  /** What git is in the middle of is not in a snapshot. */
  isUnfinished?: true;
}

const put = (path: string, name: string, content: string | Uint8Array) =>
  writeFileSync(join(path, name), content);

async function commit(path: string, message: string): Promise<void> {
  await gitIn(path, "add", "--all");
  await gitIn(path, "commit", "--quiet", "--message", message);
}

async function repositoryAt(path: string): Promise<void> {
  mkdirSync(path, { recursive: true });
  await gitIn(path, "init", "--quiet", "--initial-branch=main");
  put(path, "file", "inside\n");
  await commit(path, "inside");
  put(path, "file", "changed inside\n");
}

/** A branch that changes the same line as main, from the commit before. */
async function fork(path: string): Promise<void> {
  put(path, "both", "here\n");
  await commit(path, "here");
  await gitIn(path, "switch", "--quiet", "--detach", "HEAD~1");
  put(path, "both", "there\n");
  await commit(path, "there");
  await gitIn(path, "branch", "--force", "there");
  await gitIn(path, "switch", "--quiet", "-");
}

/** With what a conflict answers, which is a failure. */
const conflicting = (path: string, ...args: string[]) => gitIn(path, ...args).catch(() => {});

export const SHAPES: Shape[] = [
  {
    name: "submodules with commits of their own",
    async prepare(repository, library) {
      await gitIn(repository, ...ALLOW, "submodule", "--quiet", "add", library.path, "vendor/lib");
      await gitIn(repository, "commit", "--quiet", "-m", "submodule");
    },
    async work(path) {
      await gitIn(path, ...ALLOW, "submodule", "--quiet", "update", "--init");
      put(join(path, "vendor/lib"), "ours", "ours\n");
      await commit(join(path, "vendor/lib"), "only here");
      put(join(path, "vendor/lib"), "new", "not committed\n");
    },
    inside: ["vendor/lib"],
  },
  {
    name: "repositories inside one another",
    async work(path) {
      await repositoryAt(join(path, "tools/outer"));
      await repositoryAt(join(path, "tools/outer/inner"));
    },
    inside: ["tools/outer", "tools/outer/inner"],
  },
  {
    name: "a repository in a folder of which files are committed",
    async work(path) {
      mkdirSync(join(path, "package"));
      put(path, "package/committed", "outside\n");
      await commit(path, "package");
      await repositoryAt(join(path, "package"));
    },
    inside: ["package"],
  },
  {
    name: "a repository in an ignored folder",
    async prepare(repository) {
      put(repository, ".gitignore", "ignored/\n");
      await commit(repository, "ignore");
    },
    async work(path) {
      await repositoryAt(join(path, "ignored/tool"));
    },
    inside: ["ignored/tool"],
    isKept: true,
  },
  {
    name: "LFS pointers",
    async prepare(repository) {
      put(repository, ".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
      await commit(repository, "attributes");
    },
    async work(path) {
      const oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
      put(path, "kept.bin", `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n`);
      put(path, "new.bin", new Uint8Array([0, 1, 2, 13, 10, 255]));
    },
  },
  {
    name: "symbolic links and modes",
    async work(path) {
      symlinkSync("README.md", join(path, "to-a-file"));
      symlinkSync("nowhere", join(path, "to-nothing"));
      symlinkSync("..", join(path, "out-of-it"));
      put(path, "program", "#!/bin/sh\n");
      chmodSync(join(path, "program"), 0o755);
      put(path, "committed-link-target", "x");
      await commit(path, "links");
      put(path, "read-only", "x");
      chmodSync(join(path, "read-only"), 0o444);
    },
  },
  {
    name: "attributes for line ends",
    async prepare(repository) {
      put(
        repository,
        ".gitattributes",
        "*.txt text eol=crlf\n*.lf text eol=lf\n*.auto text=auto\n*.id ident\n",
      );
      await commit(repository, "attributes");
    },
    async work(path) {
      for (const kind of ["txt", "lf", "auto"]) {
        put(path, `committed.${kind}`, "one\r\ntwo\n");
        put(path, `unix.${kind}`, "one\ntwo\n");
      }
      await commit(path, "mixed");
      for (const kind of ["txt", "lf", "auto"]) {
        put(path, `committed.${kind}`, "one\ntwo\r\nthree\n");
        put(path, `dos.${kind}`, "one\r\ntwo\r\n");
      }
      put(path, "marked.id", "$Id$\n");
    },
  },
  {
    name: "a rebase in progress",
    isUnfinished: true,
    async work(path) {
      await fork(path);
      await conflicting(path, "rebase", "there");
      put(path, "both", "half resolved\n");
    },
  },
  {
    name: "a merge in progress",
    isUnfinished: true,
    async work(path) {
      await fork(path);
      await conflicting(path, "merge", "there");
      put(path, "beside", "new\n");
    },
  },
  {
    name: "stashes",
    async work(path) {
      put(path, "README.md", "first stash\n");
      await gitIn(path, "stash", "--quiet");
      put(path, "untracked", "second stash\n");
      await gitIn(path, "stash", "--quiet", "--include-untracked");
      put(path, "README.md", "after both\n");
    },
  },
  {
    name: "odd names",
    async work(path) {
      const names = [
        ...[
          "a name\nof two lines",
          " leading and trailing ",
          "-rf",
          "--",
          "quo\"te'd",
          "back\\slash",
          "tab\there",
        ],
        ...[
          "*",
          "?",
          "[x]",
          "!x",
          "#x",
          "~",
          "$HOME",
          "`id`",
          "é",
          "e\u0301",
          "日本語",
          "x".repeat(255),
          ":(top)x",
        ],
      ];
      for (const name of names) put(path, name, `${name}\n`);
      const bytes = Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0xff, 0xfe, 0x80])]);
      writeFileSync(bytes, "no UTF-8\n");
      await gitIn(path, "add", "--", "./-rf", "./é");
      mkdirSync(join(path, "empty folder"));
    },
  },
];
