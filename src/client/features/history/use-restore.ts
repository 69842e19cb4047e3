import { attempt } from "../../shared/ui/toast.tsx";
import { type Restorable, useRestoreWorktree } from "../../tasks/session-logs.ts";

/** Restores an archived worktree, or says why it can't. */
export function useRestore() {
  const { mutateAsync, isPending, data } = useRestoreWorktree();
  return {
    isPending,
    /** Where the worktree is now. */
    place: data,
    restore: (what: Restorable) =>
      attempt("Couldn't restore the worktree", async () => void (await mutateAsync(what))),
  };
}
