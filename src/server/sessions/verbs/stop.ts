import type { TaskRow } from "../../tasks/tasks.ts";
import type { VerbParts } from "./parts.ts";

export async function stopSession(parts: VerbParts, taskId: string): Promise<TaskRow> {
  const { rows, tasks, operations, checkpoint } = parts;
  const task = await operations.whenFree(taskId, () =>
    rows.accept(tasks.get(taskId).id, { type: "stop" }, () => ({})),
  );
  checkpoint("stop:accepted");
  operations.begin(taskId);
  return task;
}
