import type { RunOperation } from "../parts.ts";

export const runStop: RunOperation = async ({ rows, endings, checkpoint }, { taskId }) => {
  const sessionId = rows.find(taskId)?.sessionId;
  if (sessionId == null) return;
  await endings.stop({ taskId, sessionId });
  checkpoint("stop:done");
};
