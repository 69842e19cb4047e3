// What can be asked of an installed Claude Code without starting a session: its version, and whether it is logged in.
import { statSync } from "node:fs";

export interface Probed {
  version: string | null;
  /** Too old for hooks over HTTP: banto then goes by its title and screen. */
  tooOld: boolean;
  /** null where that can't be told. */
  loggedIn: boolean | null;
}

/** The first version whose hooks banto knows. */
const OLDEST = [2, 1, 80] as const;
const ANSWER_MS = 10_000;
const LAST_WORDS_MS = 100;
const LOGIN_GOOD_MS = 30_000;

type Environment = Record<string, string | undefined>;

/** Answers are kept: the version until the program is another one, the login for a moment. */
export function createProbe(environment: Environment) {
  const env = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(CLAUDECODE|CLAUDE_CODE_EXECUTABLE|BANTO_)/.test(name)),
  );
  const version = remembered(async (path) => versionOf(await run([path, "--version"], env)));
  const login = remembered(async (path) => loginOf(await run([path, "auth", "status"], env)), LOGIN_GOOD_MS);
  let isTooOld = false;

  async function lookAtVersion(path: string): Promise<string | null> {
    const found = await version(path);
    isTooOld = found !== null && isOlder(found);
    return found;
  }

  return {
    /** By what was learned last. */
    isTooOld: () => isTooOld,

    version: lookAtVersion,

    async look(path: string): Promise<Probed> {
      const [found, loggedIn] = await Promise.all([lookAtVersion(path), login(path)]);
      return { version: found, tooOld: isTooOld, loggedIn };
    },
  };
}

/** Asks again when the file is another one, when the last answer has grown old, and when there was none. */
function remembered<T>(ask: (path: string) => Promise<T>, goodFor = Number.POSITIVE_INFINITY) {
  let last: { stamp: string; at: number; answer: Promise<T | null> } | undefined;
  return (path: string): Promise<T | null> => {
    const stamp = stampOf(path);
    if (last?.stamp !== stamp || Date.now() - last.at >= goodFor) {
      const answer = ask(path).catch(() => {
        if (last?.answer === answer) last = undefined;
        return null;
      });
      last = { stamp, at: Date.now(), answer };
    }
    return last.answer;
  };
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return `${path}/${found?.ino}/${found?.mtimeMs}`;
}

/** What it prints. What it leaves running may hold the pipe open for ever: only the program itself is waited for. */
async function run(argv: string[], env: Environment): Promise<string> {
  const child = Bun.spawn(argv, {
    env,
    cwd: "/",
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: ANSWER_MS,
    killSignal: "SIGKILL",
  });
  const reader = child.stdout.getReader();
  const chunks: Uint8Array[] = [];
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  };
  const printed = read();
  await child.exited;
  await Promise.race([printed, Bun.sleep(LAST_WORDS_MS)]);
  await reader.cancel();
  if (child.signalCode !== null) throw new Error(`${argv.join(" ")} took too long`);
  return Buffer.concat(chunks).toString();
}

const versionOf = (printed: string) => /^(\d+\.\d+\.\d+)/.exec(printed.trim())?.[1] ?? null;

function loginOf(printed: string): boolean | null {
  const found = /"loggedIn"\s*:\s*(true|false)/.exec(printed)?.[1];
  return found === undefined ? null : found === "true";
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map(Number);
  const at = OLDEST.findIndex((part, i) => part !== parts[i]);
  return at !== -1 && (parts[at] ?? 0) < (OLDEST[at] ?? 0);
}

export function noticeOf({ version, tooOld, loggedIn }: Probed): string | null {
  if (tooOld) {
    return `Claude Code ${version} is older than ${OLDEST.join(".")}: banto sees less of what it does, and it can only be answered in its terminal. Run: claude update`;
  }
  if (loggedIn === false) {
    return "Claude Code is not logged in. Run: claude auth login, or type /login in a task's terminal.";
  }
  return null;
}
