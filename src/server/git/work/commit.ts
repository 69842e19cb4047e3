// Commits everything in a worktree to its branch, in the person's name. Like a snapshot it runs no hooks or filters, so
// it refuses files that need a filter.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../errors.ts";
import { readable } from "../disk/file-names.ts";
import { requireFolder } from "../disk/require-folder.ts";
import { filteredFiles } from "../filters/filters.ts";
import { withLock } from "../lock.ts";
import { explaining, gitFailure } from "../run/failure.ts";
import { identityOf } from "../run/identity.ts";
import type { InertGit } from "../run/inert-git.ts";
import { gitWithoutHooks } from "../run/without-hooks.ts";
import { type OpenWorktree, uncommittedFiles, withWorktree } from "./files.ts";

interface CommitInput {
  repository: string;
  path: string;
  message: string;
}

/** The commit; null if there was nothing to commit. Safe to repeat. */
export const commitWork = (input: CommitInput): Promise<string | null> =>
  explaining(`commit what is in ${input.path}`, async () => {
    await requireFolder(input.path);
    return await withLock(input.path, () => withWorktree(input, (open) => commit(open, input)));
  });

async function commit(open: OpenWorktree, { repository, message }: CommitInput): Promise<string | null> {
  const { inert, common, administration, head } = open;
  const { directory } = administration;
  const { names, loose, isConflict, repositories } = await uncommittedFiles(open);
  if (names.size === 0) return null;
  if (head.branch === null) throw refuse("no branch is checked out there");
  if (isConflict || existsSync(join(directory, "MERGE_HEAD"))) throw refuse("a merge is under way there");
  const [inner] = repositories;
  if (inner !== undefined) throw refuse(`${readable(inner)} is a repository of its own`);
  await stage(inert, loose);
  await requireUnfiltered(inert, common, names);
  const tree = (await inert.must("write the files down", ["write-tree"])).trim();
  const parents = head.commit === null ? [] : ["-p", head.commit];
  const written = await inert.must("write the commit", ["commit-tree", tree, ...parents], {
    stdin: Buffer.from(message),
    env: await identityOf(repository),
  });
  const made = written.trim();
  await within(directory, "update the index", ["read-tree", made]);
  const note = `commit: ${message.split("\n", 1)[0]}`;
  await within(directory, "move the branch", ["update-ref", "-m", note, "HEAD", made, head.commit ?? ""]);
  return made;
}

const refuse = (why: string) =>
  new DomainError("conflict", `${why}. Commit in a shell in the worktree, or complete without committing.`);

/** By name, because `add --all` would start a git in each submodule, which reads its configuration. */
async function stage(inert: InertGit, names: string[]) {
  const stdin = Buffer.from(names.map((name) => `${name}\0`).join(""), "latin1");
  await inert.must("stage the files", ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], {
    stdin,
  });
}

async function requireUnfiltered(inert: InertGit, common: string, names: Set<string>) {
  for (const [filter, files] of await filteredFiles(inert, common)) {
    const found = files.find((name) => names.has(name));
    if (found === undefined) continue;
    throw refuse(`${readable(found)} goes through git's filter "${filter}", which banto does not run`);
  }
}

async function within(directory: string, doing: string, args: string[]) {
  const result = await gitWithoutHooks(directory, ["--git-dir=.", ...args]);
  if (result.code !== 0) throw gitFailure(doing, result);
}
