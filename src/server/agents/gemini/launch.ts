import { randomUUID } from "node:crypto";
import type { AgentOptions } from "../../../contract.ts";
import { AFTER_A_LOSS } from "../after-a-loss.ts";
import type { Agent, AgentCommand, AgentRun } from "../agent.ts";
import { createVersionProbe } from "../version-probe.ts";
import { createGeminiChannel } from "./channel.ts";
import { geminiHome } from "./home.ts";
import { createGeminiReader } from "./reader.ts";
import { hasChat } from "./transcript.ts";
import { trustOf } from "./trust.ts";

const NO_CONVERSATION =
  "Gemini CLI has no record of the earlier conversation, so it starts a new one in the same worktree, with the task's text.";

/**
 * When it is told to trust the folder, Gemini starts once more with the same arguments, and then refuses the id as taken
 * (42). What was said by then is resumed.
 */
const BEGIN = `id=$1 prompt=$2; shift 2
"$@" --session-id "$id" --prompt-interactive="$prompt"
code=$?
[ "$code" = 42 ] && exec "$@" --resume "$id"
exit "$code"`;

const MODES: Partial<Record<NonNullable<AgentOptions["permissionMode"]>, string>> = {
  default: "default",
  acceptEdits: "auto_edit",
  plan: "plan",
  bypassPermissions: "yolo",
};

export function createGemini(environment: Record<string, string | undefined>): Agent {
  const home = geminiHome(environment);
  const version = createVersionProbe(environment);

  function conversation({ prompt, agentSessionId, resume, cwd }: AgentRun) {
    const begin = (text: string, id: string) => ({
      wrapper: ["/bin/sh", "-c", BEGIN, "sh", id, text],
      prompted: true,
    });
    if (!resume) return begin(prompt, agentSessionId);
    // Before there is a worktree nothing is started: it is only checked that it could be.
    if (cwd === undefined || hasChat(home, cwd, agentSessionId)) return { resumed: agentSessionId };
    const id = randomUUID();
    return { ...begin(prompt + AFTER_A_LOSS, id), agentSessionId: id, note: NO_CONVERSATION };
  }

  return {
    name: "gemini",
    label: "Gemini CLI",
    canResume: true,
    program: "gemini",
    remedy: "Install Gemini CLI where banto's PATH finds it.",

    command(run): AgentCommand {
      const { options = {}, cwd } = run;
      const { resumed, note, ...how }: ReturnType<typeof conversation> & { resumed?: string; note?: string } =
        conversation(run);
      const notes = [note, ...unsuited(options)].filter((one) => one !== undefined);
      const trust = cwd === undefined ? undefined : trustOf(home, cwd);
      return {
        argv: ["gemini", ...flags(options), ...(resumed === undefined ? [] : ["--resume", resumed])],
        env: trust === undefined ? {} : { GEMINI_CLI_TRUST_WORKSPACE: String(trust) },
        ...how,
        ...(notes.length > 0 && { note: notes.join(" ") }),
      };
    },

    createReader: createGeminiReader,
    openChannel: createGeminiChannel(home),

    async status(path) {
      return { version: await version(path), tooOld: false, loggedIn: null, notice: null };
    },
  };
}

/** Extra arguments come last, so they win. */
const flags = ({ model, permissionMode, extraArgs = [] }: AgentOptions) => [
  ...(isModel(model) ? ["--model", model] : []),
  ...(permissionMode && MODES[permissionMode] ? ["--approval-mode", MODES[permissionMode]] : []),
  ...extraArgs,
];

/** A project's options may be meant for another agent. */
const isModel = (model: string | undefined): model is string =>
  model !== undefined && /^(gemini|gemma|auto|pro|flash)/.test(model);

function unsuited({ model, permissionMode: mode }: AgentOptions): string[] {
  return [
    ...(model === undefined || isModel(model)
      ? []
      : [`${model} is no model of Gemini's, so it uses its own default.`]),
    ...(mode === undefined || MODES[mode]
      ? []
      : [`Gemini CLI has no permissions like ${mode}; its own settings decide.`]),
  ];
}
