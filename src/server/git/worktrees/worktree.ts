import { chooseBranch } from "../repository/survey.ts";
import { explaining } from "../run/failure.ts";
import { fillWorktree } from "./fill.ts";
import { type MakeWorktree, makeWorktree } from "./make-worktree.ts";
import type { CreatedWorktree } from "./record.ts";

export interface CreateWorktree extends Omit<MakeWorktree, "choose" | "fill"> {
  branch: string;
  /** null: detect it. */
  base: string | null;
  /** Ignored files to copy in addition to .worktreeinclude, in gitignore syntax. */
  include: string | null;
}

/** Makes a worktree with the base branch's files, on its own branch. */
export async function createWorktree(input: CreateWorktree): Promise<CreatedWorktree> {
  const { repository, include, checkpoint } = input;
  return explaining(`make a worktree at ${input.path}`, () =>
    makeWorktree({
      ...input,
      choose: () => chooseBranch(input),
      async fill(inert, made) {
        await inert.must(`check out ${made.path}`, ["read-tree", "--reset", "-u", made.baseCommit]);
        checkpoint?.("checked-out");
        return fillWorktree(inert, { ...made, repository, include });
      },
    }),
  );
}
