import { topOf } from "../../tasks/position.ts";
import type { TaskRow } from "../../tasks/tasks.ts";
import { archiveDetail, completedFrom } from "../operations/archive.ts";
import type { VerbParts } from "./parts.ts";

export async function completeTask(parts: VerbParts, taskId: string): Promise<TaskRow> {
  const { rows, tasks, operations, checkpoint } = parts;
  await operations.whenFree(taskId, () =>
    rows.accept(tasks.get(taskId).id, { type: "complete" }, (row, tx) => {
      const hasNothing = row.sessionStatus === null && row.worktreePath === null;
      const moves = hasNothing && row.status !== "done";
      return {
        ...(moves && { columns: { position: topOf(tx, "done"), completedFrom: completedFrom(row) } }),
        detail: { ...archiveDetail("complete") },
      };
    }),
  );
  checkpoint("complete:accepted");
  await operations.run(taskId);
  return tasks.get(taskId);
}
