// The agent of the random walk, and what it leaves in its worktree.

import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gitIn } from "../../../support/repository.ts";
import type { Work } from "./walk-model.ts";

/** Repositories in a worktree: one that the agent makes, and the project's submodule. */
const INSIDE = ["inner", "library"];
/** On a full disk it goes on as soon as there is room again. */
const again = (command: string) => `until ${command}; do sleep 0.1; done`;
const SUBMODULE = "git -c protocol.file.allow=always submodule -q update --init";
const BEGIN = `${again("git init -q inner")}; [ -e library/.git ] || ${again(SUBMODULE)}`;
const COMMIT = INSIDE.map((name) =>
  again(`git -C ${name} commit -q --allow-empty -m "$BANTO_SESSION_ID"`),
).join("; ");
/** Leaves its name in the repositories within and in the worktree, then ends with whatever code it is told. */
const RUN = `${BEGIN}; ${COMMIT}; ${again('echo "$BANTO_SESSION_ID" >> trail')}; echo on; read code; exit $code`;
export const AGENT = `
[agents.model]
command = ["sh", "-c", '${RUN}']
resume = ["sh", "-c", '${RUN}']
env = { GIT_AUTHOR_NAME = "a", GIT_AUTHOR_EMAIL = "a@b", GIT_COMMITTER_NAME = "a", GIT_COMMITTER_EMAIL = "a@b" }
`;

export async function expectWork(path: string, { trail }: Work) {
  expect(trailIn(path)).toEqual(trail);
  if (trail.length === 0) return;
  for (const name of INSIDE) {
    const log = await gitIn(join(path, name), "log", "--format=%s", "--reverse");
    // One that a full disk ended may have left its name in one of them only.
    expect(log.split("\n").filter((line) => trail.includes(line))).toEqual(trail);
  }
}

export function trailIn(path: string): string[] {
  const file = join(path, "trail");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}
