// The environment of programs in a task's terminals: the person's own variables, without those about banto, the
// server's service or another terminal.

import { processMarks } from "../hosts/end-host.ts";

type Environment = Record<string, string | undefined>;

const names = (list: string) => list.trim().split(/\s+/);

const DROPPED = new Set([
  // Claude Code started by another Claude Code behaves differently.
  ...names("CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_EXECUTABLE"),
  // So do Codex, OpenCode and Gemini.
  ...names("CODEX_THREAD_ID CODEX_SESSION_ID CODEX_TOOL_CALL_ID CODEX_VERSION CODEX_CI"),
  ...names("OPENCODE AGENT OPENCODE_PID GEMINI_CLI GEMINI_CLI_NO_RELAUNCH"),
  // The server's service under systemd.
  ...names(`
    NOTIFY_SOCKET INVOCATION_ID JOURNAL_STREAM MAINPID MANAGERPID SYSTEMD_EXEC_PID CREDENTIALS_DIRECTORY
    RUNTIME_DIRECTORY STATE_DIRECTORY CACHE_DIRECTORY LOGS_DIRECTORY CONFIGURATION_DIRECTORY
  `),
  // The terminal, editor or multiplexer the server was started from.
  ...names(`
    COLUMNS LINES WINDOW WINDOWID STY TERMCAP TERMINFO TERM_SESSION_ID COLORFGBG VTE_VERSION SSH_TTY
    GPG_TTY INSIDE_EMACS NVIM VIM_TERMINAL
  `),
  // The shell it was started from.
  ...names("_ PWD OLDPWD SHLVL"),
  // The package manager it was started by.
  ...names(`
    INIT_CWD npm_command npm_execpath npm_node_execpath npm_config_user_agent npm_config_local_prefix
  `),
  // Variables that point git to another repository (git rev-parse --local-env-vars).
  ...names(`
    GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_CONFIG GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS
    GIT_DIR GIT_GRAFT_FILE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_INTERNAL_SUPER_PREFIX GIT_NAMESPACE
    GIT_NO_REPLACE_OBJECTS GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_QUARANTINE_PATH GIT_REPLACE_REF_BASE
    GIT_SHALLOW_FILE GIT_WORK_TREE
  `),
]);

const DROPPED_PREFIXES =
  /^(BANTO_|CODEX_SANDBOX|CODEX_APPLY_PATCH|OPENCODE_SERVER_|PTY_|BUN_(?!INSTALL|CONFIG_)|LISTEN_|WATCHDOG_|MEMORY_PRESSURE_|TMUX|ZELLIJ|TERM_PROGRAM|LC_TERMINAL|ITERM_|KITTY_|ALACRITTY_|WEZTERM_|GHOSTTY_|KONSOLE_|GNOME_TERMINAL_|WT_|VSCODE_|npm_lifecycle_|npm_package_)/;

const isUtf8 = (locale: string | undefined) => /utf-?8/i.test(locale ?? "");

/** Everything here relies on UTF-8. Keeps the person's locale if it is UTF-8, otherwise uses the plain one. */
function locale({ LC_ALL, LC_CTYPE, LANG }: Environment): Environment {
  if (isUtf8(LC_ALL || LC_CTYPE || LANG)) return {};
  return { LC_ALL: undefined, LC_CTYPE: undefined, LANG: "C.UTF-8" };
}

export interface AgentEnvironment {
  /** The server's own environment. */
  base: Environment;
  taskId: string;
  sessionId: string;
  /** What the agent's adapter adds. */
  extra?: Record<string, string>;
}

export function agentEnvironment({
  base,
  taskId,
  sessionId,
  extra,
}: AgentEnvironment): Record<string, string> {
  const own = Object.entries(base).filter(([name]) => !DROPPED.has(name) && !DROPPED_PREFIXES.test(name));
  const all: Environment = {
    ...Object.fromEntries(own),
    ...locale(base),
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    ...extra,
    ...processMarks(taskId, sessionId),
  };
  const set = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set);
}
