import { DomainError } from "../errors.ts";

export interface GitResult {
  code: number;
  stdout: string;
  stderr: string;
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
const TIMEOUT_MS = 30_000;

/** Runs git with an argument array and a small environment; never through a shell. */
export async function git(cwd: string, args: string[]): Promise<GitResult> {
  let child: ReturnType<typeof spawn>;
  try {
    child = spawn(cwd, args);
  } catch (cause) {
    if ((cause as { code?: string }).code !== "ENOENT") throw cause;
    throw new DomainError("invalid", "git is not on the server's PATH; install git and try again.");
  }
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr: stderr.trim() };
}

function spawn(cwd: string, args: string[]) {
  return Bun.spawn(["git", ...INERT, ...args], {
    cwd,
    env: environment(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: TIMEOUT_MS,
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
  };
}
