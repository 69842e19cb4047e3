import type { AgentOptions } from "../../../contract.ts";
import type { AgentRun } from "../../agents/agent.ts";
import { optionsOf } from "../../agents/options.ts";
import { taskPrompt } from "../../agents/task-prompt.ts";
import type { TaskRow } from "../../tasks/task-row.ts";

interface Project {
  agentOptions: AgentOptions | null;
}

/** The run that a task needs. */
export const agentRun = (task: TaskRow, project: Project, resume: boolean): AgentRun => ({
  prompt: taskPrompt(task),
  agentSessionId: task.agentSessionId ?? "",
  resume,
  options: optionsOf(task, project),
});
