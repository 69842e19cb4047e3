// What a server that died over a new worktree has left, when nobody goes on with it.

import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { moveToTrash } from "../../../../src/server/git/trash/trash.ts";
import { CREATE_STEPS } from "../../../../src/server/git/worktrees/make-worktree.ts";
import { sweepUnfinished } from "../../../../src/server/git/worktrees/unfinished.ts";
import { gitIn } from "../../../support/repository.ts";
import { dieAt } from "../support/die-at.ts";
import { filesIn } from "../support/files.ts";
import { TASK, Workshop } from "../support/workshop.ts";

const branches = ({ repository }: Workshop) =>
  repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/banto/");

const sweep = ({ path }: Workshop, isWanted = false) => sweepUnfinished(dirname(path), () => isWanted);

/** Its folder may be there, with files that are all in the branch's commit. */
const beside = ({ path }: Workshop) => readdirSync(dirname(path)).filter((name) => name.startsWith("."));

async function left(step: string): Promise<Workshop> {
  const workshop = await Workshop.create();
  await dieAt(step, "createWorktree", workshop.createInput());
  return workshop;
}

describe("after a kill", () => {
  for (const step of CREATE_STEPS.filter((name) => !name.startsWith("aside-"))) {
    test(`nothing is left but what git knows as a worktree (${step})`, async () => {
      using workshop = await left(step);
      const { repository, path } = workshop;
      const isKnown = (await repository.git("worktree", "list")).includes(TASK);
      const before = existsSync(path) ? filesIn(path) : {};
      await sweep(workshop);
      expect(await branches(workshop)).toBe(isKnown ? "banto/task" : "");
      expect(existsSync(path) ? filesIn(path) : {}).toEqual(before);
      if (isKnown) return;
      expect(beside(workshop)).toEqual([]);
      expect(existsSync(join(repository.path, ".git/banto", `new-${TASK}`))).toBe(false);
    });
  }

  test("all of it stays while somebody goes on with it", async () => {
    using workshop = await left("branched");
    const before = beside(workshop);
    expect(await sweep(workshop, true)).toEqual([]);
    expect(beside(workshop)).toEqual(before);
    expect(await branches(workshop)).toBe("banto/task");
  });

  test("somebody else's try takes the branch of the first one away", async () => {
    using workshop = await left("branched");
    const { branch } = await workshop.create();
    expect(await branches(workshop)).toBe(branch);
  });
});

describe("the branch stays", () => {
  const keeps = async (workshop: Workshop) => {
    expect(await sweep(workshop)).toEqual([]);
    expect(await branches(workshop)).toContain("banto/task");
  };

  test("when it has moved on", async () => {
    using workshop = await left("branched");
    const { repository } = workshop;
    const commit = await repository.git("commit-tree", "main^{tree}", "-p", "main", "-m", "work");
    await repository.git("update-ref", "refs/heads/banto/task", commit);
    await keeps(workshop);
  });

  test("when the branch it began from was put back, and nothing else holds its commit", async () => {
    using workshop = await left("branched");
    const { repository } = workshop;
    await repository.git("commit", "--quiet", "--amend", "-m", "another first");
    await keeps(workshop);
  });

  test("when it is checked out", async () => {
    using workshop = await left("branched");
    await workshop.repository.git("checkout", "--quiet", "banto/task");
    await keeps(workshop);
  });

  test("when a worktree in the trash is on it", async () => {
    using workshop = await left("branched");
    const { repository, trash } = workshop;
    const path = workshop.place("other");
    await repository.git("worktree", "add", "--quiet", path, "banto/task");
    await moveToTrash({ repository: repository.path, path, trashPath: join(trash, "other") });
    await keeps(workshop);
  });

  test("when it was there before", async () => {
    using workshop = await Workshop.create();
    const { repository, path } = workshop;
    const baseCommit = await repository.git("rev-parse", "main");
    await repository.git("branch", "banto/task");
    await workshop.create();
    const intent = {
      repository: repository.path,
      branch: "banto/task",
      baseCommit,
      isThere: true,
      owner: "x",
    };
    await gitIn(path, "switch", "--quiet", "--detach");
    writeFileSync(join(dirname(path), ".x0000000x0000000.json"), JSON.stringify(intent));
    await keeps(workshop);
  });
});
