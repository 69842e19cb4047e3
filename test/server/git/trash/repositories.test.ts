import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { purge } from "../../../../src/server/git/trash/purge.ts";
import { holdsOtherHistory } from "../../../../src/server/git/trash/repositories.ts";
import { gitIn, TestRepository } from "../../../support/repository.ts";
import { Workshop } from "../support/workshop.ts";

async function repositoryAt(path: string): Promise<void> {
  mkdirSync(path, { recursive: true });
  await gitIn(path, "init", "--quiet", "--initial-branch=main");
  await gitIn(path, "commit", "--quiet", "--allow-empty", "-m", "only here");
}

/** Archives a worktree in which `ignored/` is ignored, after something was made in it. */
async function archived(workshop: Workshop, make: (path: string) => Promise<unknown>) {
  writeFileSync(join(workshop.repository.path, ".gitignore"), "ignored/\n");
  await workshop.repository.git("add", ".gitignore");
  await workshop.repository.git("commit", "--quiet", "-m", "ignore");
  await workshop.create();
  mkdirSync(join(workshop.path, "ignored"));
  await make(workshop.path);
  const { trashPath, snapshotRef, notes } = await workshop.archive();
  expect(notes).toEqual([]);
  const hold = () => holdsOtherHistory(workshop.repository.path, trashPath, snapshotRef ?? "");
  return { trashPath, snapshotRef: snapshotRef ?? "", hold };
}

test.each([
  ["a repository in an ignored folder", (path: string) => repositoryAt(join(path, "ignored/deep/tool"))],
  [
    "a clone in an ignored folder with a commit that was amended away",
    async (path: string) => {
      using library = await TestRepository.create("library");
      const clone = join(path, "ignored/clone");
      await gitIn(path, "clone", "--quiet", library.path, clone);
      await gitIn(clone, "commit", "--quiet", "--allow-empty", "-m", "mine");
      await gitIn(clone, "reset", "--quiet", "--hard", "origin/main");
    },
  ],
  [
    "a worktree that has become a repository of its own",
    async (path: string) => {
      await Bun.file(join(path, ".git")).delete();
      await repositoryAt(path);
    },
  ],
] as const)("%s has history that the snapshot doesn't hold", async (_name, make) => {
  using workshop = await Workshop.create();
  expect(await (await archived(workshop, make)).hold()).toBe(true);
});

test("repositories that the snapshot holds, and ignored ones with nothing of their own, keep no worktree", async () => {
  using workshop = await Workshop.create();
  using library = await TestRepository.create("library");
  await library.git("tag", "v1");
  await library.commit("later");
  const { hold } = await archived(workshop, async (path) => {
    await repositoryAt(join(path, "outer"));
    await repositoryAt(join(path, "outer/inner"));
    mkdirSync(join(path, "ignored/empty"));
    await gitIn(join(path, "ignored/empty"), "init", "--quiet");
    await gitIn(path, "clone", "--quiet", library.path, "ignored/clone");
    const shallow = ["--depth=1", "--branch=v1", `file://${library.path}`];
    await gitIn(path, "clone", "--quiet", ...shallow, "ignored/shallow");
    const fetched = join(path, "ignored/fetched");
    mkdirSync(fetched);
    await gitIn(fetched, "init", "--quiet");
    await gitIn(fetched, "fetch", "--quiet", library.path, "main");
    await gitIn(fetched, "checkout", "--quiet", "FETCH_HEAD");
  });
  expect(await hold()).toBe(false);
});

test("a purge that was killed after it had removed the files goes on", async () => {
  using workshop = await Workshop.create();
  const { trashPath, hold } = await archived(workshop, (path) => repositoryAt(join(path, "ignored/tool")));
  const kill = (step: string) => {
    if (step === "removed") throw new Error("killed");
  };
  const purging = purge({ repository: workshop.repository.path, trashPath, checkpoint: kill });
  await expect(purging).rejects.toThrow("killed");
  expect(await hold()).toBe(false);
});
