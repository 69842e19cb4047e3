import { existsSync } from "node:fs";
import { DomainError } from "../../errors.ts";

export interface GitResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface GitOptions {
  /** Added to the small environment that git gets. */
  env?: Record<string, string>;
  stdin?: string | Uint8Array;
  /** File names are bytes: latin1 keeps every one of them, and `Buffer.from(name, "latin1")` gives them back. */
  encoding?: "utf8" | "latin1";
  timeoutMs?: number;
}

// Nothing a repository configures may run because banto looked at it.
const INERT = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "protocol.ext.allow=never",
];
/** For what looks at a repository. */
const TIMEOUT_MS = 30_000;
/** For what reads or writes a whole worktree. */
export const WORKTREE_TIMEOUT_MS = 600_000;

/** Runs git with an argument array and a small environment; never through a shell. */
export async function git(cwd: string, args: string[], options: GitOptions = {}): Promise<GitResult> {
  const timeout = options.timeoutMs ?? TIMEOUT_MS;
  let child: ReturnType<typeof spawn>;
  try {
    child = spawn(cwd, args, options);
  } catch (cause) {
    if ((cause as { code?: string }).code !== "ENOENT") throw cause;
    if (!existsSync(cwd)) {
      throw new DomainError("invalid", `${cwd} is not there any more; put it back and try again.`);
    }
    throw new DomainError("invalid", "git is not on the server's PATH; install git and try again.");
  }
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill();
  }, timeout);
  if (options.stdin !== undefined) child.stdin.write(options.stdin);
  // git may end without having read everything, and then says itself what is wrong.
  Promise.resolve(child.stdin.end()).catch(() => {});
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ]).finally(() => clearTimeout(timer));
  const how = isLate ? `after ${timeout / 1_000} seconds` : `by ${child.signalCode}`;
  const ended = child.signalCode === null ? "" : `\ngit ${args[0]} was ended ${how}`;
  return {
    code,
    stdout: Buffer.from(stdout.buffer).toString(options.encoding ?? "utf8"),
    stderr: (stderr + ended).trim(),
  };
}

function spawn(cwd: string, args: string[], options: GitOptions) {
  return Bun.spawn(["git", ...INERT, ...args], {
    cwd,
    env: { ...environment(), ...options.env },
    // Not bytes: the memory file they would come in stays open until it is collected.
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** GIT_DIR and its kin would point git elsewhere; messages are read, so they must be in English. */
function environment(): Record<string, string> {
  const { PATH = "", HOME = "", XDG_CONFIG_HOME } = process.env;
  return {
    PATH,
    HOME,
    ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // A partial clone fetches what it lacks in the middle of anything, through programs its configuration names.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}
