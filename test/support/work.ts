// Everything a worktree can hold that must never be lost, and how to tell that all of it is there.

import { expect } from "bun:test";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gitIn } from "./repository.ts";

const NESTED = "nested/repository";

export interface Work {
  head: string;
  nested: string;
}

/** Commits, staged, uncommitted, untracked and ignored files, odd names, links, modes, a repository inside. */
export async function leaveWork(path: string): Promise<Work> {
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(path, name), content);
  put(".gitignore", ".env\nbuild/\n");
  put("committed", "committed\n");
  await gitIn(path, "add", ".gitignore", "committed");
  await gitIn(path, "commit", "--quiet", "--message", "work");
  put("README.md", "uncommitted\n");
  put("staged", "staged\n");
  await gitIn(path, "add", "staged");
  put("staged", "staged, then changed\n");
  put("untracked", new Uint8Array([0, 255, 10, 13, 10, 128]));
  put(".env", "SECRET=ignored\n");
  mkdirSync(join(path, "build"));
  put("build/output", "ignored too\n");
  put("a name\nof two lines", "newline\n");
  symlinkSync("committed", join(path, "link"));
  symlinkSync("nowhere", join(path, "dangling"));
  put("tool", "#!/bin/sh\n");
  chmodSync(join(path, "tool"), 0o755);
  mkdirSync(join(path, NESTED), { recursive: true });
  await gitIn(join(path, NESTED), "init", "--quiet");
  put(`${NESTED}/file`, "nested\n");
  await gitIn(join(path, NESTED), "add", "file");
  await gitIn(join(path, NESTED), "commit", "--quiet", "--message", "nested");
  return {
    head: await gitIn(path, "rev-parse", "HEAD"),
    nested: await gitIn(join(path, NESTED), "rev-parse", "HEAD"),
  };
}

export async function expectWork(path: string, { head, nested }: Work): Promise<void> {
  const read = (name: string) => readFileSync(join(path, name)).toString("latin1");
  expect({
    head: await gitIn(path, "rev-parse", "HEAD"),
    staged: await gitIn(path, "show", ":staged"),
    nested: await gitIn(join(path, NESTED), "rev-parse", "HEAD"),
    link: readlinkSync(join(path, "link")),
    dangling: readlinkSync(join(path, "dangling")),
    mode: lstatSync(join(path, "tool")).mode & 0o777,
    files: [
      "committed",
      "README.md",
      "staged",
      "untracked",
      ".env",
      "build/output",
      "a name\nof two lines",
      `${NESTED}/file`,
    ].map(read),
  }).toEqual({
    head,
    staged: "staged",
    nested,
    link: "committed",
    dangling: "nowhere",
    mode: 0o755,
    files: [
      "committed\n",
      "uncommitted\n",
      "staged, then changed\n",
      "\0\xff\n\r\n\x80",
      "SECRET=ignored\n",
      "ignored too\n",
      "newline\n",
      "nested\n",
    ],
  });
}
