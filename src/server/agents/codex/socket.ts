// The socket of a session's app-server: where it is, and whether Codex's terminal program is on it yet.
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";

const NAME = "codex.sock";

export const socketPath = (signalFolder: string) => join(signalFolder, NAME);

/** Codex puts a link there, to a socket with a path short enough for the system. Undefined until it listens. */
export function findSocket(path: string): string | undefined {
  try {
    return statSync(path).isSocket() ? linkedFrom(path) : undefined;
  } catch {
    return undefined; // not there yet, or not any more
  }
}

function linkedFrom(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return path;
  }
}

const CONNECTED = "03";

/**
 * Whether anybody is connected. The first client gives its name to everything that the model's provider is asked, and
 * that should be Codex. Where the system can't tell, yes.
 */
export function hasClient(socket: string): boolean {
  try {
    const rows = readFileSync("/proc/net/unix", "utf8").split("\n");
    return rows.some((row) => row.endsWith(` ${socket}`) && row.split(/\s+/)[5] === CONNECTED);
  } catch {
    return true;
  }
}

/**
 * Whether the session's program, or the setup command before it, was to start an app-server there. Undefined in the
 * moment in which it becomes another program.
 */
export function isToStart(path: string, pid: number): boolean | undefined {
  try {
    const argv = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return argv === "" ? undefined : argv.split("\0").includes(path);
  } catch {
    return true; // another system, or it has just ended
  }
}
