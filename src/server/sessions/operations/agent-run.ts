import type { AgentOptions } from "../../../contract.ts";
import type { AgentRun } from "../../agents/agent.ts";
import { mergeOptions } from "../../agents/options.ts";
import { taskPrompt } from "../../agents/task-prompt.ts";
import type { TaskRow } from "../../tasks/tasks.ts";

interface Project {
  agentOptions: AgentOptions | null;
}

/** What a task asks of its agent. */
export const agentRun = (task: TaskRow, project: Project, resume: boolean): AgentRun => ({
  prompt: taskPrompt(task),
  agentSessionId: task.agentSessionId ?? "",
  resume,
  options: mergeOptions(project.agentOptions, task.agentOptions),
});
