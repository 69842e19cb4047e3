import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentOptions } from "../../../contract.ts";
import { AFTER_A_LOSS } from "../after-a-loss.ts";
import type { Agent, AgentRun } from "../agent.ts";
import { openCodexChannel } from "./channel.ts";
import { besideServer } from "./launcher.ts";
import { CODEX_ARGUMENTS, CODEX_OPTIONS, modeArguments } from "./options.ts";
import { createProbe, noticeOf } from "./probe.ts";
import { createCodexReader } from "./reader.ts";
import { socketPath } from "./socket.ts";

type Environment = Record<string, string | undefined>;

const NO_CONVERSATION =
  "Codex has no record of the earlier conversation, so it starts a new one in the same worktree, with the task's text.";

export function createCodex(environment: Environment = {}): Agent {
  const probe = createProbe(environment);
  const homeOf = ({ configDir }: AgentOptions) =>
    configDir ?? (environment.CODEX_HOME || join(environment.HOME ?? "", ".codex"));

  function conversation({ prompt, agentSessionId, resume, options = {}, cwd }: AgentRun) {
    const begin = (text: string) => ({ first: [], last: ["--", text], prompted: true });
    if (!resume) return begin(prompt);
    // Before there is a worktree nothing is started: it is only checked that it could be.
    const isThere = cwd === undefined || hasConversation(homeOf(options), agentSessionId);
    if (isThere) return { first: ["resume"], last: ["--", agentSessionId], prompted: false };
    return { ...begin(prompt + AFTER_A_LOSS), note: NO_CONVERSATION };
  }

  return {
    name: "codex",
    label: "Codex",
    canResume: true,
    program: "codex",
    remedy: "Install it with: npm install -g @openai/codex",

    options: CODEX_OPTIONS,
    ownArguments: CODEX_ARGUMENTS,

    command(run) {
      const { options = {}, signalFolder } = run;
      const { configDir } = options;
      const { first, last, ...more } = conversation(run);
      const socket = signalFolder !== undefined && probe.canSplit() ? socketPath(signalFolder) : undefined;
      return {
        argv: [
          "codex",
          ...first,
          ...(socket === undefined ? probe.withoutDaemon() : ["--remote", `unix://${socket}`]),
          ...flags(options),
          ...last,
        ],
        env: configDir === undefined ? {} : { CODEX_HOME: configDir },
        ...(socket !== undefined && { wrapper: besideServer(socket) }),
        ...more,
      };
    },

    createReader: createCodexReader,
    openChannel: openCodexChannel,

    async prepare(path) {
      await probe.abilities(path);
    },

    async status(path) {
      const probed = await probe.look(path);
      return { ...probed, notice: noticeOf(probed) };
    },
  };
}

/** Extra arguments come last, so they win. */
const flags = ({ model, permissionMode, effort, extraArgs = [] }: AgentOptions) => [
  ...(model === undefined ? [] : ["--model", model]),
  ...modeArguments(permissionMode),
  ...(effort === undefined ? [] : ["-c", `model_reasoning_effort="${effort}"`]),
  ...extraArgs,
];

/** Codex writes the file of a conversation with its first prompt. */
function hasConversation(home: string, id: string): boolean {
  const sessions = join(home, "sessions");
  if (!/^[\w-]+$/.test(id) || !existsSync(sessions)) return false;
  for (const _ of new Bun.Glob(`**/rollout-*-${id}.jsonl*`).scanSync({ cwd: sessions })) return true;
  return false;
}
