import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freeSpace } from "../../../../src/server/git/snapshots/free-space.ts";
import { deleteSnapshot, listSnapshots } from "../../../../src/server/git/snapshots/list.ts";
import { gitIn, type TestRepository } from "../../../support/repository.ts";
import { Workshop } from "../support/workshop.ts";

const BYTES = 100_000;
const TIMES = 6;

const bytesOf = async (repository: TestRepository) =>
  1_024 *
  [...(await repository.git("count-objects", "-v")).matchAll(/^size(?:-pack)?: (\d+)$/gm)].reduce(
    (sum, [, size]) => sum + Number(size),
    0,
  );

/** Two hours ago, as git sees it. */
function age({ path }: TestRepository): void {
  const then = Date.now() / 1_000 - 7_200;
  const objects = join(path, ".git/objects");
  for (const name of readdirSync(objects, { recursive: true, encoding: "utf8" }))
    utimesSync(join(objects, name), then, then);
}

/** As after many retries, each of which has new files that are not committed. */
async function retried(workshop: Workshop): Promise<void> {
  await workshop.create();
  for (let n = 0; n < TIMES; n += 1) {
    writeFileSync(join(workshop.path, "untracked"), randomBytes(BYTES));
    await workshop.snapshot();
  }
}

async function deleteAllButNewest({ path }: TestRepository): Promise<void> {
  for (const one of (await listSnapshots(path)).slice(1)) await deleteSnapshot(path, one);
}

test.each([
  ["in files of their own", () => {}],
  ["packed by git", ({ repository }: Workshop) => repository.git("gc", "--quiet")],
] as const)("what many deleted snapshots took is free again: %s", async (_how, tidy) => {
  using workshop = await Workshop.create();
  const { repository } = workshop;
  await retried(workshop);
  await tidy(workshop);
  await deleteAllButNewest(repository);
  const before = await bytesOf(repository);
  expect(before).toBeGreaterThan(TIMES * BYTES);
  const early = await freeSpace(repository.path);
  expect(early.freedBytes).toBeLessThan(BYTES);
  expect(early.laterBytes).toBeGreaterThan((TIMES - 1) * BYTES);
  age(repository);
  const { freedBytes, laterBytes } = await freeSpace(repository.path);
  expect(freedBytes).toBeGreaterThan((TIMES - 1) * BYTES);
  expect(laterBytes).toBe(0);
  expect(await bytesOf(repository)).toBeLessThan(2 * BYTES);
  expect(await repository.git("fsck", "--full")).not.toMatch(/missing|broken/);
});

test("no more is freed than deleted snapshots had alone, and nothing that somebody uses", async () => {
  using workshop = await Workshop.create();
  const { repository, path } = workshop;
  const hash = (name: string) => repository.git("hash-object", "-w", repository.beside(name));
  const write = (name: string) => writeFileSync(repository.beside(name), randomBytes(BYTES));
  for (const name of ["used again", "dropped", "staged in the trash", "committed"]) write(name);
  const dropped = await hash("dropped"); // by the person, who may want it back
  await workshop.create();
  const copy = async (name: string) =>
    writeFileSync(join(path, name), await Bun.file(repository.beside(name)).bytes());
  for (const name of ["used again", "staged in the trash", "committed"]) await copy(name);
  await workshop.snapshot();
  await gitIn(path, "commit", "--quiet", "--allow-empty", "-m", "only the trash knows");
  const given = await gitIn(path, "rev-parse", "HEAD");
  await gitIn(path, "reset", "--quiet", "--soft", "HEAD~1");
  await gitIn(path, "add", "staged in the trash");
  const { trashPath } = await workshop.archive();
  await deleteAllButNewest(repository);
  await repository.git("update-ref", "-d", (await listSnapshots(repository.path))[0]?.ref ?? "");
  await repository.git("reflog", "expire", "--expire=now", "refs/heads/banto/task");
  age(repository);
  const used = await hash("used again"); // by an agent, just now
  const staged = await gitIn(repository.path, "hash-object", repository.beside("staged in the trash"));
  await repository.git("commit-tree", "main^{tree}", "-m", "unreferenced");
  const { freedBytes } = await freeSpace(repository.path);
  expect(freedBytes).toBeGreaterThan(BYTES / 2);
  for (const name of [dropped, used, staged, given]) await repository.git("cat-file", "-e", name);
  await workshop.restore({ trashPath, snapshotRef: null });
  expect(await gitIn(path, "status", "--porcelain")).toContain("A  ");
  expect(await gitIn(path, "fsck", "--full")).not.toMatch(/missing|broken/);
});
