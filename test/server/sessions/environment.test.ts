import { expect, test } from "bun:test";
import { agentEnvironment } from "../../../src/server/sessions/environment.ts";
import { startHost } from "../../host/support/host.ts";
import { watch } from "../../host/support/watcher.ts";

const build = (base: Record<string, string | undefined>, extra: Record<string, string> = {}) =>
  agentEnvironment({ base, taskId: "task0", sessionId: "session0", extra });

const GIVEN = {
  TERM: "xterm-256color",
  COLORTERM: "truecolor",
  LANG: "C.UTF-8",
  BANTO_TASK_ID: "task0",
  BANTO_SESSION_ID: "session0",
};

const KEPT = {
  PATH: "/usr/bin",
  HOME: "/home/me",
  USER: "me",
  SHELL: "/bin/zsh",
  EDITOR: "vim",
  SSH_AUTH_SOCK: "/run/agent",
  ANTHROPIC_API_KEY: "mine",
  CLAUDE_CONFIG_DIR: "/home/me/.claude-work",
  CLAUDE_CODE_OAUTH_TOKEN: "mine",
  CODEX_HOME: "/home/me/.codex-work",
  OPENCODE_CONFIG: "/home/me/opencode.json",
  GEMINI_API_KEY: "mine",
  GIT_AUTHOR_NAME: "Me",
  GIT_SSH_COMMAND: "ssh -i key",
  BUN_INSTALL: "/home/me/.bun",
  npm_config_loglevel: "warn",
  NODE_EXTRA_CA_CERTS: "/etc/ca.pem",
  XDG_RUNTIME_DIR: "/run/user/1000",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1000/bus",
  EMPTY: "",
  ODD: 'two\nlines = "and" more',
};

test("a person's own variables are passed on as they are", () => {
  expect(build({ ...KEPT, MISSING: undefined })).toEqual({ ...KEPT, ...GIVEN });
});

test.each([
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_EXECUTABLE",
  "CODEX_THREAD_ID",
  "CODEX_CI",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "OPENCODE",
  "OPENCODE_SERVER_PASSWORD",
  "AGENT",
  "GEMINI_CLI",
  "GEMINI_CLI_NO_RELAUNCH",
  "BANTO_DATA_DIR",
  "BANTO_PORT",
  "BANTO_TOKEN",
  "PTY_OUTPUT_BUFFER_SIZE",
  "NOTIFY_SOCKET",
  "INVOCATION_ID",
  "JOURNAL_STREAM",
  "LISTEN_FDS",
  "LISTEN_PID",
  "WATCHDOG_USEC",
  "TMUX",
  "TMUX_PANE",
  "STY",
  "TERM_PROGRAM",
  "TERM_PROGRAM_VERSION",
  "COLUMNS",
  "LINES",
  "WINDOWID",
  "VTE_VERSION",
  "KITTY_WINDOW_ID",
  "VSCODE_IPC_HOOK_CLI",
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_CONFIG_COUNT",
  "BUN_RUNTIME_TRANSPILER_CACHE_PATH",
  "BUN_BE_BUN",
  "PWD",
  "SHLVL",
])("%s is not", (name) => {
  expect(build({ [name]: "x" })).toEqual(GIVEN);
});

test.each([
  ["LANG", { LANG: "de_DE.UTF-8" }],
  ["LANG in another spelling", { LANG: "en_GB.utf8" }],
  ["LC_ALL over a LANG that is not", { LC_ALL: "C.UTF-8", LANG: "C" }],
  ["LC_CTYPE over a LANG that is not", { LC_CTYPE: "en_US.UTF-8", LANG: "POSIX" }],
  ["other categories", { LANG: "fr_FR.UTF-8", LC_TIME: "de_DE.UTF-8", LANGUAGE: "fr" }],
])("a locale that is UTF-8 is kept: %s", (_, locale) => {
  const { LANG, ...given } = GIVEN;
  expect(build(locale)).toEqual({ ...given, ...locale });
});

test.each([
  ["none at all", {}],
  ["the plain one", { LANG: "C" }],
  ["an 8-bit one", { LANG: "de_DE.ISO-8859-1" }],
  ["an LC_ALL that overrides a good LANG", { LC_ALL: "C", LANG: "de_DE.UTF-8" }],
  ["an LC_CTYPE that overrides a good LANG", { LC_CTYPE: "POSIX", LANG: "de_DE.UTF-8" }],
  ["empty ones", { LC_ALL: "", LANG: "" }],
])("one that is not becomes C.UTF-8: %s", (_, locale) => {
  expect(build(locale)).toEqual(GIVEN);
});

test("what an agent's adapter adds wins over the person's variables, but not over banto's", () => {
  const built = build({ FOO: "theirs" }, { FOO: "bar", TERM: "dumb", BANTO_SESSION_ID: "forged" });
  expect(built).toEqual({ ...GIVEN, FOO: "bar", TERM: "dumb" });
});

test("the program in a terminal finds exactly this, and nothing of the host's own", async () => {
  const { PATH = "" } = process.env;
  const before = process.env.BUN_RUNTIME_TRANSPILER_CACHE_PATH;
  process.env.BUN_RUNTIME_TRANSPILER_CACHE_PATH = before ?? "0";
  const env = build({ ...process.env, CLAUDECODE: "1", TMUX: "/tmp/tmux" });
  await using host = await startHost(["env", "-0"], { env, sessionId: "session0" });
  const viewer = await watch(host);
  await viewer.when(({ exits }) => exits.length === 1, "the end");
  const found = viewer
    .text()
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => entry.replaceAll("\r\n", "\n"));
  expect(found.sort()).toEqual(
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}`)
      .sort(),
  );
  expect(found).toContain(`PATH=${PATH}`);
  if (before === undefined) delete process.env.BUN_RUNTIME_TRANSPILER_CACHE_PATH;
});
