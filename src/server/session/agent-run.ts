import type { AgentRun } from "../agents/agent.ts";
import { taskPrompt } from "../agents/task-prompt.ts";
import type { TaskRow } from "../tasks.ts";

/** What a task asks of its agent. */
export const agentRun = (task: TaskRow, resume: boolean): AgentRun => ({
  prompt: taskPrompt(task),
  agentSessionId: task.agentSessionId ?? "",
  resume,
});
