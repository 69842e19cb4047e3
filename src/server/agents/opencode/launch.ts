import type { AgentOptions } from "../../../contract.ts";
import { AFTER_A_LOSS } from "../after-a-loss.ts";
import type { Agent, AgentCommand, AgentRun } from "../agent.ts";
import { barredIn } from "../own-files.ts";
import { reachLoopback } from "../reach-loopback.ts";
import { openCodeSignals, pluginPath } from "./channel.ts";
import { configContent } from "./config.ts";
import { hasConversation } from "./conversation.ts";
import { OPENCODE_ARGUMENTS, OPENCODE_OPTIONS } from "./options.ts";
import { createProbe } from "./probe.ts";
import { createOpenCodeReader } from "./reader.ts";

type Environment = Record<string, string | undefined>;

const NO_CONVERSATION =
  "OpenCode has no record of the earlier conversation, so it starts a new one in the same worktree, with the task's text.";
const NO_PLUGIN =
  "OPENCODE_CONFIG_CONTENT is not valid JSON, so banto can't add its plugin to it and sees less of what OpenCode does. Correct it where banto is started.";

const NOTHING = { paths: [], changes: [], commands: [] };

export function createOpenCode(environment: Environment, dataDir?: string): Agent {
  const probe = createProbe(environment);

  function conversation({ prompt, agentSessionId, resume, cwd }: AgentRun) {
    // One argument: a prompt that begins with a dash would be taken for an option.
    const begin = (text: string) => ({ args: [`--prompt=${text}`], prompted: true, note: undefined });
    if (!resume) return begin(prompt);
    // Before there is a worktree nothing is started: it is only checked that it could be.
    if (cwd === undefined || hasConversation(environment, agentSessionId))
      return { args: ["--session", agentSessionId], prompted: false, note: undefined };
    return { ...begin(prompt + AFTER_A_LOSS), note: NO_CONVERSATION };
  }

  function listening({ signalFolder, options = {} }: AgentRun): Pick<AgentCommand, "signals" | "note"> & {
    env: Record<string, string>;
  } {
    if (signalFolder === undefined) return { env: {} };
    const content = configContent(environment.OPENCODE_CONFIG_CONTENT, pluginPath(signalFolder), options);
    if (content === undefined) return { env: {}, note: NO_PLUGIN };
    return {
      signals: openCodeSignals(signalFolder, dataDir === undefined ? NOTHING : barredIn(dataDir)),
      env: { OPENCODE_CONFIG_CONTENT: content, ...reachLoopback(environment) },
    };
  }

  return {
    name: "opencode",
    label: "OpenCode",
    canResume: true,
    program: "opencode",
    remedy: "Install OpenCode where banto's PATH finds it.",

    options: OPENCODE_OPTIONS,
    ownArguments: OPENCODE_ARGUMENTS,

    command(run) {
      const { options = {} } = run;
      const { args, prompted, note } = conversation(run);
      const { signals, env, note: unheard } = listening(run);
      const notes = [note, unheard].filter((one) => one !== undefined);
      return {
        argv: ["opencode", ...args, ...flags(options)],
        env: { ...env, ...(options.configDir !== undefined && { OPENCODE_CONFIG_DIR: options.configDir }) },
        prompted,
        ...(signals !== undefined && { signals }),
        ...(notes.length > 0 && { note: notes.join(" ") }),
      };
    },

    createReader: createOpenCodeReader,

    status: probe.look,
  };
}

/** Extra arguments come last, so they win. */
const flags = ({ model, permissionMode, extraArgs = [] }: AgentOptions) => [
  ...(model === undefined ? [] : ["--model", model]),
  ...(permissionMode === "plan" ? ["--agent", "plan"] : []),
  ...extraArgs,
];
