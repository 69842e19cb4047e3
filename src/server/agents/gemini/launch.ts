import { randomUUID } from "node:crypto";
import type { AgentOptions } from "../../../contract.ts";
import { AFTER_A_LOSS } from "../after-a-loss.ts";
import type { Agent, AgentCommand, AgentRun } from "../agent.ts";
import { createGeminiChannel } from "./channel.ts";
import { geminiHome } from "./home.ts";
import { GEMINI_ARGUMENTS, GEMINI_OPTIONS, MODES } from "./options.ts";
import { createProbe } from "./probe.ts";
import { createGeminiReader } from "./reader.ts";
import { hasChat } from "./transcript.ts";
import { trustOf } from "./trust.ts";

const NO_CONVERSATION =
  "Gemini CLI has no record of the earlier conversation, so it starts a new one in the same worktree, with the task's text.";

/**
 * When it is told to trust the folder, Gemini starts once more with the same arguments, and then refuses the id as taken
 * (42). What was said by then is resumed. It ends so for other mistakes in its arguments as well.
 */
const BEGIN = `home=$1 id=$2 prompt=$3 gemini=$4; shift 4
"$gemini" --session-id "$id" --prompt-interactive="$prompt" "$@"
code=$?
if [ "$code" = 42 ]; then
  for chat in "$home"/tmp/*/chats/*-"\${id%%-*}".jsonl; do
    if [ -e "$chat" ]; then exec "$gemini" --resume "$id" "$@"; fi
  done
fi
exit "$code"`;

export function createGemini(environment: Record<string, string | undefined>): Agent {
  const homeOf = ({ configDir }: AgentOptions) => geminiHome(environment, configDir);
  const probe = createProbe(environment);

  function conversation({ prompt, agentSessionId, resume, cwd, options = {} }: AgentRun) {
    const begin = (text: string, id: string) => ({
      wrapper: ["/bin/sh", "-c", BEGIN, "sh", homeOf(options), id, text],
      prompted: true,
    });
    if (!resume) return begin(prompt, agentSessionId);
    // Before there is a worktree nothing is started: it is only checked that it could be.
    if (cwd === undefined || hasChat(homeOf(options), cwd, agentSessionId))
      return { resumed: agentSessionId };
    const id = randomUUID();
    return { ...begin(prompt + AFTER_A_LOSS, id), agentSessionId: id, note: NO_CONVERSATION };
  }

  return {
    name: "gemini",
    label: "Gemini CLI",
    canResume: true,
    program: "gemini",
    remedy: "Install Gemini CLI where banto's PATH finds it.",

    options: GEMINI_OPTIONS,
    ownArguments: GEMINI_ARGUMENTS,

    command(run): AgentCommand {
      const { options = {}, cwd } = run;
      const { configDir } = options;
      const { resumed, ...how }: Omit<AgentCommand, "argv" | "env"> & { resumed?: string } =
        conversation(run);
      const trust = cwd === undefined ? undefined : trustOf(homeOf(options), cwd);
      return {
        argv: ["gemini", ...(resumed === undefined ? [] : ["--resume", resumed]), ...flags(options)],
        env: {
          ...(trust !== undefined && { GEMINI_CLI_TRUST_WORKSPACE: String(trust) }),
          ...(configDir !== undefined && { GEMINI_CLI_HOME: configDir }),
        },
        ...how,
      };
    },

    createReader: createGeminiReader,
    openChannel: (session, tell) => createGeminiChannel(homeOf(session.options))(session, tell),

    status: probe.look,
  };
}

/** Extra arguments come last, so they win. */
const flags = ({ model, permissionMode, extraArgs = [] }: AgentOptions) => [
  ...(model === undefined ? [] : ["--model", model]),
  ...(permissionMode && MODES[permissionMode] ? ["--approval-mode", MODES[permissionMode]] : []),
  ...extraArgs,
];
