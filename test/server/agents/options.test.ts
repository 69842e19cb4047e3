import { expect, test } from "bun:test";
import type { AgentOptions } from "../../../src/contract.ts";
import type { Agent } from "../../../src/server/agents/agent.ts";
import { createClaude } from "../../../src/server/agents/claude/launch.ts";
import { createCodex } from "../../../src/server/agents/codex/launch.ts";
import { createGemini } from "../../../src/server/agents/gemini/launch.ts";
import { createOpenCode } from "../../../src/server/agents/opencode/launch.ts";
import { optionsOf, reconfigured, requireOptions, suited } from "../../../src/server/agents/options.ts";
import { createShell } from "../../../src/server/agents/shell.ts";

const AGENTS = {
  claude: createClaude("claude"),
  codex: createCodex(),
  opencode: createOpenCode({}),
  gemini: createGemini({}),
  shell: createShell(undefined),
} satisfies Record<string, Agent>;
type Name = keyof typeof AGENTS;

const RUN = { prompt: "Do it", agentSessionId: "5e0c", resume: false };
const NONE = { agent: null, agentOptions: null, otherOptions: null };

test("nothing in it is the same as none", () => {
  const required = (options: AgentOptions | null | undefined) => requireOptions(AGENTS.claude, options);
  expect([required(undefined), required(null), required({})]).toEqual([null, null, null]);
  expect(required({ extraArgs: [] })).toBeNull();
});

const REFUSED: [Name, AgentOptions, string][] = [
  ["claude", { model: "--help" }, "must be a model's name as Claude Code takes it, such as opus"],
  ["claude", { model: " " }, "must not be empty"],
  ["claude", { extraArgs: ["--settings", "{}"] }, "banto sets --settings itself"],
  ["claude", { extraArgs: ["--resume=x"] }, "banto sets --resume=x itself"],
  ["claude", { extraArgs: ["-p"] }, "banto sets -p itself"],
  ["claude", { extraArgs: ["-r5e0c"] }, "banto sets -r5e0c itself"],
  ["claude", { extraArgs: ["--"] }, "banto sets -- itself"],
  ["claude", { extraArgs: ["a\0b"] }, "NUL"],
  ["claude", { configDir: "claude" }, "must be an absolute path"],
  [
    "claude",
    { effort: "minimal" },
    "Claude Code has no minimal; choose one of low, medium, high, xhigh, max",
  ],
  ["codex", { extraArgs: ["--remote", "unix:///tmp/x"] }, "banto sets --remote itself"],
  ["codex", { extraArgs: ["resume"] }, "banto sets resume itself"],
  ["codex", { extraArgs: ["--no-daemon"] }, "banto sets --no-daemon itself"],
  ["codex", { extraArgs: ["-C/tmp"] }, "banto sets -C/tmp itself"],
  ["opencode", { extraArgs: ["--session=ses_1"] }, "banto sets --session=ses_1 itself"],
  ["opencode", { extraArgs: ["--pure"] }, "banto sets --pure itself"],
  ["opencode", { model: "opus" }, "as OpenCode takes it, such as anthropic/claude-opus-4"],
  ["opencode", { permissionMode: "auto" }, "OpenCode has no auto; choose one of default, acceptEdits, plan"],
  ["opencode", { effort: "high" }, "OpenCode has no high; leave it out"],
  ["gemini", { extraArgs: ["--session-id", "x"] }, "banto sets --session-id itself"],
  ["gemini", { extraArgs: ["-i"] }, "banto sets -i itself"],
  ["gemini", { permissionMode: "dontAsk" }, "Gemini CLI has no dontAsk"],
];
test.each(REFUSED)("%s: %j is refused", (name, options, message) => {
  expect(() => requireOptions(AGENTS[name], options)).toThrow(message);
});

const TAKEN: [Name, AgentOptions][] = [
  ["codex", { extraArgs: ["-c", "key=value", "-p", "work", "--add-dir", "/srv"] }],
  ["codex", { permissionMode: "plan", effort: "minimal" }],
  ["opencode", { extraArgs: ["--log-level", "DEBUG"], model: "anthropic/x" }],
  ["gemini", { extraArgs: ["--include-directories", "/srv"], permissionMode: "bypassPermissions" }],
  // A plain terminal does nothing with them, and nothing is wrong with that.
  ["shell", { model: "opus", permissionMode: "plan", extraArgs: ["-p"] }],
];
test.each(TAKEN)("%s takes %j", (name, options) => {
  expect(requireOptions(AGENTS[name], options)).toEqual(options);
});

test("every mode that an agent has changes how it is started", () => {
  for (const name of ["claude", "codex", "opencode", "gemini"] as const) {
    const { options } = AGENTS[name];
    const started = (permissionMode?: AgentOptions["permissionMode"]) => {
      const run = {
        ...RUN,
        signalFolder: "/run/x.signals",
        ...(permissionMode && { options: { permissionMode } }),
      };
      return JSON.stringify(AGENTS[name].command(run));
    };
    const modes = Object.keys(options?.modes ?? {}) as NonNullable<AgentOptions["permissionMode"]>[];
    const commands = [undefined, ...modes].map(started);
    expect([name, new Set(commands).size]).toEqual([name, modes.length + 1]);
  }
});

test("Codex gets its modes and effort as settings, and its own arguments last", () => {
  const options: AgentOptions = {
    ...{ model: "gpt-6", permissionMode: "plan", effort: "high", extraArgs: ["-c", "a=b"], configDir: "/c" },
  };
  const { argv, env } = AGENTS.codex.command({ ...RUN, options });
  expect(argv.join(" ")).toContain(
    '--model gpt-6 -c sandbox_mode="read-only" -c approval_policy="never" -c model_reasoning_effort="high" -c a=b -- Do it',
  );
  expect(env).toEqual({ CODEX_HOME: "/c" });
});

test("Gemini's extra arguments come last, after those that banto adds", () => {
  const options: AgentOptions = { model: "pro", extraArgs: ["--screen-reader"], configDir: "/g" };
  const { argv, wrapper = [], env } = AGENTS.gemini.command({ ...RUN, options });
  // What is run is what the wrapper says, with a program that shows what it is given.
  const shown = Bun.spawnSync([...wrapper, "echo", ...argv.slice(1)])
    .stdout.toString()
    .trim();
  expect(shown).toBe("--session-id 5e0c --prompt-interactive=Do it --model pro --screen-reader");
  expect(env).toEqual({ GEMINI_CLI_HOME: "/g" });
});

test("what an older version of banto let through is left out, and said", () => {
  const options: AgentOptions = { model: "opus", permissionMode: "dontAsk", configDir: "/c" };
  const { options: rest, notes } = suited(AGENTS.gemini, options);
  expect(rest).toEqual({ configDir: "/c" });
  expect(notes.join(" ")).toBe(
    "Gemini CLI has no model called opus; its own settings decide. Gemini CLI has no permission mode dontAsk; its own settings decide.",
  );
  expect(suited(AGENTS.shell, options)).toEqual({ options, notes: [] });
});

test("the task's win over the project's for the same agent, one by one", () => {
  const project = {
    ...{ agent: null, agentOptions: { model: "opus", configDir: "/a" } },
    otherOptions: { codex: { model: "gpt-6", configDir: "/b" } },
  };
  const own = (agent: string, agentOptions: AgentOptions | null) =>
    optionsOf({ agent, agentOptions }, project);
  expect(own("claude", { model: "sonnet" })).toEqual({ model: "sonnet", configDir: "/a" });
  expect(own("codex", { model: "gpt-7" })).toEqual({ model: "gpt-7", configDir: "/b" });
  expect(own("gemini", null)).toEqual({});
  expect(optionsOf({ agent: "claude", agentOptions: null }, NONE)).toEqual({});
});

test("options belong to an agent: another one doesn't get them, and they come back with it", () => {
  const claude = { agent: "claude", agentOptions: { model: "opus", configDir: "/c" }, otherOptions: null };
  const codex = reconfigured(claude, { agent: "codex" });
  expect(codex).toEqual({
    agent: "codex",
    agentOptions: null,
    otherOptions: { claude: { model: "opus", configDir: "/c" } },
  });
  const chosen = reconfigured(codex, { agentOptions: { model: "gpt-6" } });
  expect(reconfigured(chosen, { agent: "claude" })).toEqual({
    ...claude,
    otherOptions: { codex: { model: "gpt-6" } },
  });
  const both = reconfigured(claude, { agent: "codex", agentOptions: { model: "gpt-6" } });
  expect(both.agentOptions).toEqual({ model: "gpt-6" });
});

test("a project without an agent of its own has the default one's options", () => {
  const claude = reconfigured(NONE, { agentOptions: { model: "opus" } });
  expect(reconfigured(claude, { agent: "claude" })).toMatchObject({ agentOptions: { model: "opus" } });
  expect(reconfigured(claude, { agent: "codex" })).toMatchObject({
    otherOptions: { claude: { model: "opus" } },
  });
  const whole = { agent: "gemini", agentOptions: { model: "pro" }, otherOptions: { codex: { model: "x" } } };
  expect(reconfigured(claude, whole)).toEqual(whole);
  expect(reconfigured(whole, { otherOptions: null })).toEqual({ ...whole, otherOptions: null });
});
