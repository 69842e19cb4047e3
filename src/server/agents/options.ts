// How to start an agent, as set for a project or a task.
import { isAbsolute } from "node:path";
import { type AgentOptions, DEFAULT_AGENT } from "../../contract.ts";
import { DomainError } from "../errors.ts";
import { requireLine, requireText } from "../text.ts";

/** Options that banto uses to start, resume and listen to agents. Set twice, they would conflict. */
const OWN =
  /^(--(settings|session-id|resume|continue|fork-session|from-pr|print|background|bg|worktree|tmux|help|version)(=|$)|-[rcphvw]$|--$)/;

/** Checked options; null if there are none. */
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

interface Configured {
  agentOptions: AgentOptions | null;
}

/** The task's options override the project's, one by one. The project's are for the default agent. */
export const optionsOf = (task: Configured & { agent: string }, project: Configured): AgentOptions => ({
  ...(task.agent === DEFAULT_AGENT && project.agentOptions),
  ...task.agentOptions,
});

function requireModel(model: string): string {
  const line = requireLine("agentOptions.model", model);
  if (!line.startsWith("-")) return line;
  throw new DomainError("invalid", "agentOptions.model: must be a model's name, such as opus.");
}

function requireArgument(argument: string): string {
  const text = requireText("agentOptions.extraArgs", argument);
  if (!OWN.test(text)) return text;
  throw new DomainError("invalid", `agentOptions.extraArgs: banto sets ${text} itself; leave it out.`);
}

function requireDirectory(path: string): string {
  const line = requireLine("agentOptions.configDir", path);
  if (isAbsolute(line)) return line;
  throw new DomainError("invalid", "agentOptions.configDir: must be an absolute path.");
}
