import { randomUUID } from "node:crypto";
import type { AgentOptions } from "../../../contract.ts";
import { AFTER_A_LOSS } from "../after-a-loss.ts";
import type { Agent, AgentCommand, AgentRun } from "../agent.ts";
import { reachLoopback } from "../reach-loopback.ts";
import { claudeSignals, settingsPath } from "./channel.ts";
import { denyRules } from "./deny.ts";
import { CLAUDE_ARGUMENTS, CLAUDE_OPTIONS } from "./options.ts";
import { createProbe, noticeOf } from "./probe.ts";
import { createClaudeReader } from "./reader.ts";
import { followStateFile } from "./state-file.ts";
import { findStatusLine } from "./status-line.ts";
import { configDirOf, hasTranscript } from "./transcript.ts";

type Environment = Record<string, string | undefined>;

/**
 * Claude Code reads nothing after `--` as an option, but takes a one-word prompt for one of its commands (`mcp`,
 * `update`). A line break at the end prevents that.
 */
const asPrompt = (text: string) => (/\s/.test(text) ? text : `${text}\n`);

const NO_CONVERSATION =
  "Claude Code has no record of the earlier conversation, so it starts a new one in the same worktree, with the task's text.";

export function createClaude(program: string, environment: Environment = {}, dataDir?: string): Agent {
  const probe = createProbe(environment);

  /** A flag for each option. Extra arguments come last, so they win. */
  const flags = ({ model, permissionMode, effort, extraArgs = [] }: AgentOptions) => [
    ...(model === undefined ? [] : ["--model", model]),
    ...(permissionMode === undefined ? [] : ["--permission-mode", permissionMode]),
    ...(effort === undefined ? [] : ["--effort", effort]),
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
    // A new id: if the file exists but is empty, Claude refuses the old one for good.
    const id = randomUUID();
    return { ...begin(prompt + AFTER_A_LOSS, id), agentSessionId: id, note: NO_CONVERSATION };
  }

  function signals({ signalFolder, cwd, options = {} }: AgentRun): Pick<AgentCommand, "signals"> {
    // An old version would refuse settings it doesn't know.
    if (signalFolder === undefined || cwd === undefined || probe.isTooOld()) return {};
    const statusLine = findStatusLine(configDirOf(environment, options.configDir), cwd);
    const deny = dataDir === undefined ? [] : denyRules(dataDir);
    return {
      signals: claudeSignals({ folder: signalFolder, statusLine, deny, version: probe.lastVersion() }),
    };
  }

  return {
    name: "claude",
    label: "Claude Code",
    canResume: true,
    program,
    remedy:
      "Install Claude Code, or set CLAUDE_CODE_EXECUTABLE to the path of the program and start banto again.",

    options: CLAUDE_OPTIONS,
    ownArguments: CLAUDE_ARGUMENTS,

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
          ...(listening.signals !== undefined && reachLoopback(environment)),
          ...renderer(environment),
        },
        ...listening,
        ...more,
      };
    },

    createReader: createClaudeReader,

    openChannel: (session, tell) =>
      followStateFile(configDirOf(environment, session.options.configDir), session, tell),

    async prepare(path) {
      await probe.version(path);
    },

    async status(path) {
      const probed = await probe.look(path);
      return { ...probed, notice: noticeOf(probed) };
    },
  };
}

/**
 * Below what it has said before, as all programs did once, unless the person has chosen otherwise by environment. On a
 * screen of its own nothing is left to scroll back to, to search or to read aloud, wheel and fingers would be the
 * program's, and dialogs blink for as long as they are open. Left to itself it takes now one and now the other.
 */
function renderer(env: Environment): Record<string, string> {
  const isChosen = env.CLAUDE_CODE_NO_FLICKER || env.CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN;
  return isChosen ? {} : { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: "1" };
}
