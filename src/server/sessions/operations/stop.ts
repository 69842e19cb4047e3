import type { Endings } from "../observe/endings.ts";
import type { RunOperation } from "../parts.ts";

export const runStop =
  (endings: Endings): RunOperation =>
  async (parts, { taskId }) => {
    const task = parts.rows.find(taskId);
    if (task?.sessionId == null) return;
    await endings.stop({ taskId, sessionId: task.sessionId });
    parts.checkpoint("stop:done");
  };
