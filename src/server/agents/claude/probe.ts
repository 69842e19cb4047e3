// What an installed Claude Code can be asked without starting a session: its version, and whether it is logged in.
import { printedBy, remembered } from "../ask-program.ts";
import { isAtLeast, OLDEST } from "./channel.ts";

export interface Probed {
  version: string | null;
  /** Too old for hooks over HTTP, so banto relies on title and screen. */
  tooOld: boolean;
  /** null if unknown. */
  loggedIn: boolean | null;
}

const LOGIN_GOOD_MS = 30_000;

type Environment = Record<string, string | undefined>;

/** Answers are cached: the version until the program changes, the login for a moment. */
export function createProbe(environment: Environment) {
  const env = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(CLAUDECODE|CLAUDE_CODE_EXECUTABLE|BANTO_)/.test(name)),
  );
  const version = remembered(async (path) => versionOf(await printedBy([path, "--version"], env)));
  const login = remembered(
    async (path) => loginOf(await printedBy([path, "auth", "status"], env)),
    LOGIN_GOOD_MS,
  );
  let isTooOld = false;
  let lastVersion: string | null = null;

  async function lookAtVersion(path: string): Promise<string | null> {
    const found = await version(path);
    isTooOld = found !== null && !isAtLeast(found, OLDEST);
    lastVersion = found;
    return found;
  }

  return {
    /** According to the last check. */
    isTooOld: () => isTooOld,

    lastVersion: () => lastVersion,

    version: lookAtVersion,

    async look(path: string): Promise<Probed> {
      const [found, loggedIn] = await Promise.all([lookAtVersion(path), login(path)]);
      return { version: found, tooOld: isTooOld, loggedIn };
    },
  };
}

const versionOf = (printed: string) => /^(\d+\.\d+\.\d+)/.exec(printed.trim())?.[1] ?? null;

function loginOf(printed: string): boolean | null {
  const found = /"loggedIn"\s*:\s*(true|false)/.exec(printed)?.[1];
  return found === undefined ? null : found === "true";
}

export function noticeOf({ version, tooOld, loggedIn }: Probed): string | null {
  if (tooOld) {
    return `Claude Code ${version} is older than ${OLDEST.join(".")}, so banto sees less of what it does, and you can answer it only in its terminal. Run: claude update`;
  }
  if (loggedIn === false) {
    return "Claude Code is not logged in. Run: claude auth login, or type /login in a task's terminal.";
  }
  return null;
}
