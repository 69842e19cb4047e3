import { DomainError } from "../../errors.ts";
import type { TaskRow } from "../../tasks/tasks.ts";

/** The Enter after a prompt would answer the dialog that is open, and whoever wrote the prompt may not know of it yet. */
export function requireNoDialog({ asks, activity }: Pick<TaskRow, "asks" | "activity">) {
  if (asks === null && activity?.kind !== "permission" && activity?.kind !== "question") return;
  throw new DomainError("conflict", "The agent is asking something. Answer that first.");
}
