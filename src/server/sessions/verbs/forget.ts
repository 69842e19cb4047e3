import type { TaskRow } from "../../tasks/task-row.ts";
import { requireWorktreeMissing } from "../worktree-there.ts";
import type { VerbParts } from "./parts.ts";

/** Gives up a worktree that is gone. Its branch stays, and so does what git knows about it. */
export function forgetWorktree(
  { rows, tasks, operations, log }: VerbParts,
  taskId: string,
): Promise<TaskRow> {
  return operations.whenFree(taskId, () =>
    rows.accept(tasks.get(taskId).id, { type: "forget" }, (row) => {
      requireWorktreeMissing(row);
      log.info(
        `task ${taskId}: its worktree ${row.worktreePath} is gone and forgotten; its branch is ${row.branch}`,
      );
      return { columns: { worktreePath: null, branch: null } };
    }),
  );
}
