import { existsSync } from "node:fs";
import { DomainError } from "../../errors.ts";

export interface GitResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface GitOptions {
  /** Added to git's minimal environment. */
  env?: Record<string, string>;
  stdin?: string | Uint8Array;
  /** File names are bytes. latin1 preserves them, and `Buffer.from(name, "latin1")` restores them. */
  encoding?: "utf8" | "latin1";
  timeoutMs?: number;
}

// Looking at a repository must not run anything that its configuration names.
const INERT = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "protocol.ext.allow=never",
];
/** For commands that only look at a repository. */
const TIMEOUT_MS = 30_000;
/** A git that was killed and still has not ended, or whose output something else holds open, is given up. */
const LOST_MS = 2_000;
/** For commands that read or write a whole worktree. */
export const WORKTREE_TIMEOUT_MS = 600_000;

/** Runs git with an argument array and a minimal environment; never through a shell. */
export async function git(cwd: string, args: string[], options: GitOptions = {}): Promise<GitResult> {
  const timeout = options.timeoutMs ?? TIMEOUT_MS;
  let child: ReturnType<typeof spawn>;
  try {
    child = spawn(cwd, args, options);
  } catch (cause) {
    if ((cause as { code?: string }).code !== "ENOENT") throw cause;
    if (!existsSync(cwd)) {
      throw new DomainError("invalid", `${cwd} is not there any more. Put it back and try again.`);
    }
    throw new DomainError("invalid", "git is not on the server's PATH. Install git and try again.");
  }
  let isLate = false;
  const { promise: lost, resolve: giveUp } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    isLate = true;
    child.kill();
    setTimeout(giveUp, LOST_MS);
  }, timeout);
  if (options.stdin !== undefined) child.stdin.write(options.stdin);
  // git may exit without reading everything, and then reports what is wrong itself.
  Promise.resolve(child.stdin.end()).catch(() => {});
  const all = Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const ending = await Promise.race([all, lost]).finally(() => clearTimeout(timer));
  if (ending === undefined) {
    return { code: 1, stdout: "", stderr: `git ${args[0]} did not end within ${timeout / 1_000} seconds` };
  }
  const [stdout, stderr, code] = ending;
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
    // Not bytes: Bun passes those in a memory file that stays open until it is garbage-collected.
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Without GIT_DIR and the like, which would point git elsewhere. In English, because messages are parsed. */
function environment(): Record<string, string> {
  const { PATH = "", HOME = "", XDG_CONFIG_HOME } = process.env;
  return {
    PATH,
    HOME,
    ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // A partial clone would fetch missing objects at any time, with programs that its configuration names.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}
