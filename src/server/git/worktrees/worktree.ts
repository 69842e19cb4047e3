import { chooseBranch } from "../repository/survey.ts";
import { explaining } from "../run/failure.ts";
import { fillWorktree } from "./fill.ts";
import { type MakeWorktree, makeWorktree } from "./make-worktree.ts";
import type { CreatedWorktree } from "./record.ts";

export interface CreateWorktree extends Omit<MakeWorktree, "choose" | "fill"> {
  branch: string;
  /** null: what the repository itself starts from. */
  base: string | null;
  /** Ignored files to copy besides those of .worktreeinclude; gitignore syntax. */
  include: string | null;
}

/** A worktree of the base branch's files, on a branch of its own. */
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
