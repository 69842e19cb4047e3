// How to start an agent, as set for a project or a task. Options belong to an agent: those of others are kept for when it
// is one of these again.
import { isAbsolute } from "node:path";
import { type AgentOptions, DEFAULT_AGENT, type KnownOptions } from "../../contract.ts";
import { DomainError } from "../errors.ts";
import { requireLine, requireText } from "../text.ts";
import type { Agent } from "./agent.ts";

type KnowsOptions = Pick<Agent, "label" | "options" | "ownArguments">;

/** Checked options for this agent; null if there are none. */
export function requireOptions(
  agent: KnowsOptions,
  options: AgentOptions | null | undefined,
): AgentOptions | null {
  if (options == null) return null;
  const { model, permissionMode, effort, extraArgs, configDir } = options;
  const { modes, efforts } = agent.options ?? {};
  if (modes !== undefined && permissionMode !== undefined && modes[permissionMode] === undefined)
    refuse("permissionMode", agent, permissionMode, Object.keys(modes));
  if (efforts !== undefined && effort !== undefined && !efforts.includes(effort))
    refuse("effort", agent, effort, efforts);
  const checked: AgentOptions = {
    ...(model !== undefined && { model: requireModel(agent, model) }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(effort !== undefined && { effort }),
    ...(extraArgs !== undefined &&
      extraArgs.length > 0 && { extraArgs: extraArgs.map((one) => requireArgument(agent, one)) }),
    ...(configDir !== undefined && { configDir: requireDirectory(configDir) }),
  };
  return Object.keys(checked).length === 0 ? null : checked;
}

type OptionsByAgent = Record<string, AgentOptions>;

/** Which agent a task or project has; null is the default one. */
export interface Configured {
  agent: string | null;
  agentOptions: AgentOptions | null;
  otherOptions: OptionsByAgent | null;
}

/** The options of each agent. */
export const optionsByAgent = ({ agent, agentOptions, otherOptions }: Configured): OptionsByAgent => ({
  ...otherOptions,
  ...(agentOptions !== null && { [agent ?? DEFAULT_AGENT]: agentOptions }),
});

/** Another agent, or other options: those that are given are the new agent's. */
export function reconfigured(before: Configured, patch: Partial<Configured>): Configured {
  const { agent = before.agent, agentOptions } = patch;
  const name = agent ?? DEFAULT_AGENT;
  const kept = optionsByAgent(before);
  const all = patch.otherOptions === undefined ? kept : (patch.otherOptions ?? {});
  const { [name]: own = kept[name] ?? null, ...others } = all;
  return {
    agent,
    agentOptions: agentOptions === undefined ? own : agentOptions,
    otherOptions: Object.keys(others).length === 0 ? null : others,
  };
}

/** The task's options override the project's for the same agent, one by one. */
export const optionsOf = (
  task: { agent: string; agentOptions: AgentOptions | null },
  project: Configured,
): AgentOptions => ({
  ...optionsByAgent(project)[task.agent],
  ...task.agentOptions,
});

/** What of these the agent has, and what to say of the rest: they may be older than its present options. */
export function suited({ label, options: known }: KnowsOptions, options: AgentOptions) {
  const { model, permissionMode, effort, ...rest } = options;
  const notes: string[] = [];
  const fits = (does: boolean, note: string) => {
    if (!does) notes.push(`${note}; its own settings decide.`);
    return does;
  };
  const suits: AgentOptions = {
    ...(model !== undefined &&
      fits(isModelOf(known, model), `${label} has no model called ${model}`) && { model }),
    ...(permissionMode !== undefined &&
      fits(
        known?.modes[permissionMode] !== undefined,
        `${label} has no permission mode ${permissionMode}`,
      ) && {
        permissionMode,
      }),
    ...(effort !== undefined &&
      fits(known?.efforts.includes(effort) === true, `${label} has no effort ${effort}`) && { effort }),
    ...rest,
  };
  return known === undefined ? { options, notes: [] } : { options: suits, notes };
}

const isModelOf = (known: KnownOptions | undefined, model: string) =>
  new RegExp(known?.model.pattern ?? "").test(model);

function refuse(field: string, { label }: KnowsOptions, given: string, known: readonly string[]): never {
  const instead =
    known.length === 0 ? "leave it out" : `choose ${known.length === 1 ? "" : "one of "}${known.join(", ")}`;
  throw new DomainError("invalid", `agentOptions.${field}: ${label} has no ${given}; ${instead}.`);
}

function requireModel({ label, options }: KnowsOptions, model: string): string {
  const line = requireLine("agentOptions.model", model);
  const { example } = options?.model ?? { example: "opus" };
  if (!line.startsWith("-") && isModelOf(options, line)) return line;
  throw new DomainError(
    "invalid",
    `agentOptions.model: must be a model's name as ${label} takes it, such as ${example}.`,
  );
}

function requireArgument({ ownArguments }: KnowsOptions, argument: string): string {
  const text = requireText("agentOptions.extraArgs", argument);
  if (!ownArguments?.test(text)) return text;
  throw new DomainError("invalid", `agentOptions.extraArgs: banto sets ${text} itself; leave it out.`);
}

function requireDirectory(path: string): string {
  const line = requireLine("agentOptions.configDir", path);
  if (isAbsolute(line)) return line;
  throw new DomainError("invalid", "agentOptions.configDir: must be an absolute path.");
}
