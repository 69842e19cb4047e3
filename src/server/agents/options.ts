// How an agent is to be started, as a person says it for a project or a task.
import { isAbsolute } from "node:path";
import type { AgentOptions } from "../../contract.ts";
import { DomainError } from "../errors.ts";
import { requireLine, requireText } from "../text.ts";

/** Options by which banto itself starts, resumes and listens; set twice they would undo each other. */
const OWN =
  /^(--(settings|session-id|resume|continue|fork-session|from-pr|print|background|bg|worktree|tmux|help|version)(=|$)|-[rcphvw]$|--$)/;

/** What was given, checked; without anything in it it is the same as none. */
export function requireOptions(options: AgentOptions | null | undefined): AgentOptions | null {
  if (options == null) return null;
  const { model, permissionMode, extraArgs, configDir } = options;
  const checked: AgentOptions = {
    ...(model !== undefined && { model: requireModel(model) }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(extraArgs !== undefined && extraArgs.length > 0 && { extraArgs: extraArgs.map(requireArgument) }),
    ...(configDir !== undefined && { configDir: requireDirectory(configDir) }),
  };
  return Object.keys(checked).length === 0 ? null : checked;
}

/** The task's win, one by one. */
export const mergeOptions = (project: AgentOptions | null, task: AgentOptions | null): AgentOptions => ({
  ...project,
  ...task,
});

function requireModel(model: string): string {
  const line = requireLine("agentOptions.model", model);
  if (!line.startsWith("-")) return line;
  throw new DomainError("invalid", "agentOptions.model: must be a model's name, such as opus.");
}

function requireArgument(argument: string): string {
  const text = requireText("agentOptions.extraArgs", argument);
  if (!OWN.test(text)) return text;
  throw new DomainError("invalid", `agentOptions.extraArgs: ${text} is banto's own to set; leave it out.`);
}

function requireDirectory(path: string): string {
  const line = requireLine("agentOptions.configDir", path);
  if (isAbsolute(line)) return line;
  throw new DomainError("invalid", "agentOptions.configDir: must be an absolute path.");
}
