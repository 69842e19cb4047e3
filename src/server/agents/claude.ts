import { randomUUID } from "node:crypto";
import type { AgentOptions } from "../../contract.ts";
import type { Agent, AgentCommand, AgentRun } from "./agent.ts";
import { createProbe, noticeOf } from "./claude/probe.ts";
import { createClaudeReader } from "./claude/reader.ts";
import { claudeSignals, settingsPath } from "./claude/settings.ts";
import { findStatusLine } from "./claude/status-line.ts";
import { configDirOf, hasTranscript } from "./claude/transcript.ts";

type Environment = Record<string, string | undefined>;

/**
 * Claude Code reads nothing after `--` as an option, but a prompt of one word it still takes for a
 * command of its own (`mcp`, `update`); a line break at the end is enough to tell them apart.
 */
const asPrompt = (text: string) => (/\s/.test(text) ? text : `${text}\n`);

const NO_CONVERSATION =
  "Claude Code has no record of the earlier conversation, so it starts a new one in the same worktree, with the task's text.";
const AFTER_A_LOSS =
  "\n\n(An earlier session worked on this in the same directory, and its conversation is lost. Look at what is there before you go on.)";

export function createClaude(program: string, environment: Environment = {}): Agent {
  const probe = createProbe(environment);

  /** A flag for each option; what was typed by hand comes last and so wins. */
  const flags = ({ model, permissionMode, extraArgs = [] }: AgentOptions) => [
    ...(model === undefined ? [] : ["--model", model]),
    ...(permissionMode === undefined ? [] : ["--permission-mode", permissionMode]),
    ...extraArgs,
  ];

  function conversation({ prompt, agentSessionId, resume, options = {}, cwd }: AgentRun) {
    const begin = (text: string, id = agentSessionId) => ({
      first: ["--session-id", id],
      last: ["--", asPrompt(text)],
      prompted: true,
    });
    if (!resume) return begin(prompt);
    // Before there is a worktree nothing is started: it is only checked that it could be.
    const isThere =
      cwd === undefined || hasTranscript(configDirOf(environment, options.configDir), agentSessionId);
    if (isThere) return { first: ["--resume", agentSessionId], last: [], prompted: false };
    // Its file may be there with nothing in it, and then Claude refuses the id for good.
    const id = randomUUID();
    return { ...begin(prompt + AFTER_A_LOSS, id), agentSessionId: id, note: NO_CONVERSATION };
  }

  function signals({ signalFolder, cwd, options = {} }: AgentRun): Pick<AgentCommand, "signals"> {
    // One that is too old would stop at settings it does not know.
    if (signalFolder === undefined || cwd === undefined || probe.isTooOld()) return {};
    const statusLine = findStatusLine(configDirOf(environment, options.configDir), cwd);
    return { signals: claudeSignals(signalFolder, statusLine) };
  }

  return {
    name: "claude",
    label: "Claude Code",
    canResume: true,
    program,
    remedy:
      "Install Claude Code, or set CLAUDE_CODE_EXECUTABLE to the path of the program and start banto again.",

    command(run) {
      const { options = {} } = run;
      const { first, last, ...more } = conversation(run);
      const listening = signals(run);
      const settings =
        listening.signals === undefined ? [] : ["--settings", settingsPath(run.signalFolder ?? "")];
      return {
        argv: [program, ...first, ...settings, ...flags(options), ...last],
        env: {
          ...(options.configDir !== undefined && { CLAUDE_CONFIG_DIR: options.configDir }),
          ...(listening.signals !== undefined && withoutProxy(environment)),
        },
        ...listening,
        ...more,
      };
    },

    createReader: createClaudeReader,

    async prepare(path) {
      await probe.version(path);
    },

    async status(path) {
      const probed = await probe.look(path);
      return { ...probed, notice: noticeOf(probed) };
    },
  };
}

/** Its hooks go to this machine, which no proxy on another one can reach. */
function withoutProxy(env: Environment): Record<string, string> {
  const isProxied = ["http_proxy", "https_proxy", "all_proxy"].some(
    (name) => env[name] || env[name.toUpperCase()],
  );
  if (!isProxied) return {};
  const listed = env.no_proxy || env.NO_PROXY;
  const list = listed ? `${listed},127.0.0.1` : "127.0.0.1";
  return { no_proxy: list, NO_PROXY: list };
}
