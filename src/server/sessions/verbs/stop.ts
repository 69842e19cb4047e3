import { storageFailure } from "../../disk.ts";
import { keepTrying } from "../../keep-trying.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import type { VerbParts } from "./parts.ts";

export async function stopSession(parts: VerbParts, taskId: string): Promise<TaskRow> {
  const { rows, tasks, operations, checkpoint } = parts;
  let task: TaskRow;
  try {
    task = await operations.whenFree(taskId, () =>
      rows.accept(tasks.get(taskId).id, { type: "stop" }, () => ({})),
    );
  } catch (error) {
    if (storageFailure(error) === undefined) throw error;
    return stopUnrecorded(parts, taskId, error);
  }
  checkpoint("stop:accepted");
  operations.begin(taskId);
  return task;
}

/** The disk is full: ends the agent now, and records it as soon as possible. */
function stopUnrecorded({ tasks, hosts, endings, log }: VerbParts, taskId: string, cause: unknown): TaskRow {
  const task = tasks.get(taskId);
  const { sessionId } = task;
  // If the program was not started yet, there is nothing to end.
  if (sessionId === null || !hosts.wasStarted(sessionId)) throw cause;
  void keepTrying(
    () => endings.stop({ taskId, sessionId }),
    (error) => log.error(`writing down that session ${sessionId} was stopped`, error),
  );
  return { ...task, sessionOperation: "stop" };
}
