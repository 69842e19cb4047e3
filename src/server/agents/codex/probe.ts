// What an installed Codex can be asked without starting a session: its version, what it can do, and whether it is
// logged in.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentStatus } from "../agent.ts";
import { askProgram, printedBy, remembered } from "../ask-program.ts";

interface Abilities {
  /** Terminal program and server can be two processes that speak over a socket. */
  splits: boolean;
  /** It would start a server that all sessions share, unless it is told not to. */
  knowsNoDaemon: boolean;
}

type Probed = Omit<AgentStatus, "notice">;

const LOGIN_GOOD_MS = 30_000;

type Environment = Record<string, string | undefined>;

/** Answers are cached: what it is until the program changes, the login for a moment. */
export function createProbe(environment: Environment) {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("BANTO_")));
  const version = remembered(async (path) => versionOf(await printedBy([path, "--version"], env)));
  const login = remembered(async (path) => isLoggedIn(path, env), LOGIN_GOOD_MS);
  const ask = remembered(async (path): Promise<Abilities> => {
    const [own, server] = await Promise.all([
      printedBy([path, "--help"], env),
      printedBy([path, "app-server", "--help"], env),
    ]);
    return {
      splits: own.includes("unix://PATH") && server.includes("unix://PATH"),
      knowsNoDaemon: own.includes("--no-daemon"),
    };
  });
  let known: Abilities | null = null;

  async function abilities(path: string): Promise<Abilities | null> {
    known = await ask(path);
    return known;
  }

  return {
    abilities,

    /** According to the last look. */
    canSplit: () => known?.splits === true,

    /** Versions stop at an option that they don't know; a setting they don't know does no harm. */
    withoutDaemon: () =>
      known?.knowsNoDaemon ? ["--no-daemon"] : ["-c", "features.daemon_auto_start=false"],

    async look(path: string): Promise<Probed> {
      const [found, able, loggedIn] = await Promise.all([version(path), abilities(path), login(path)]);
      return { version: found, tooOld: able?.splits === false, loggedIn };
    },
  };
}

const versionOf = (printed: string) => /(\d+\.\d+\.\d+)/.exec(printed)?.[1] ?? null;

/** null where a provider of the person's own is set, which needs no login. */
async function isLoggedIn(path: string, env: Environment): Promise<boolean | null> {
  const { code } = await askProgram([path, "login", "status"], env);
  if (code === 0) return true;
  return hasOwnProvider(env.CODEX_HOME || join(env.HOME ?? "", ".codex")) ? null : false;
}

function hasOwnProvider(home: string): boolean {
  try {
    const { model_provider } = Bun.TOML.parse(readFileSync(join(home, "config.toml"), "utf8")) as {
      model_provider?: unknown;
    };
    return typeof model_provider === "string" && model_provider !== "openai";
  } catch {
    return false; // no such file, or a mistake in it, which Codex reports itself
  }
}

export function noticeOf({ version, tooOld, loggedIn }: Probed): string | null {
  if (tooOld) {
    return `Codex ${version} is too old to be followed closely, so you can answer it only in its terminal. Run: codex update`;
  }
  if (loggedIn === false) {
    return "Codex is not logged in. Run: codex login, or follow the steps in a task's terminal.";
  }
  return null;
}
