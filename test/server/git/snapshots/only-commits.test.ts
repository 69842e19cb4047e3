import { expect, test } from "bun:test";
import { join } from "node:path";
import { holdsOnlyCommits } from "../../../../src/server/git/snapshots/only-commits.ts";
import { gitIn } from "../../../support/repository.ts";
import { withSubmodules } from "../support/submodules.ts";

test("what a submodule was cloned with is no only copy, and what was committed on any of its branches is", async () => {
  using made = await withSubmodules();
  const { workshop } = made;
  const { repository, path } = workshop;
  const lib = join(path, "vendor/lib");
  const cloned = await workshop.snapshot();
  await gitIn(lib, "checkout", "--quiet", "-b", "mine");
  await gitIn(lib, "commit", "--quiet", "--allow-empty", "-m", "only here");
  const head = await workshop.snapshot();
  await gitIn(lib, "checkout", "--quiet", "--detach", "HEAD~1");
  const branch = await workshop.snapshot();
  await workshop.archive();
  await workshop.create({ branch: "banto/next" }); // nobody initialises its submodules
  const { commit } = await workshop.snapshot();
  const isOnlyCopy = ({ ref }: typeof cloned) => holdsOnlyCommits(repository.path, ref ?? "", [commit ?? ""]);
  expect(await isOnlyCopy(cloned)).toBe(false);
  expect(await isOnlyCopy(head)).toBe(true);
  expect(await isOnlyCopy(branch)).toBe(true);
});
