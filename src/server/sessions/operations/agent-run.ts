import type { AgentRun } from "../../agents/agent.ts";
import { type Configured, optionsOf } from "../../agents/options.ts";
import { taskPrompt } from "../../agents/task-prompt.ts";
import type { TaskRow } from "../../tasks/task-row.ts";

/** The run that a task needs. */
export const agentRun = (task: TaskRow, project: Configured, resume: boolean): AgentRun => ({
  prompt: taskPrompt(task),
  agentSessionId: task.agentSessionId ?? "",
  resume,
  options: optionsOf(task, project),
});
