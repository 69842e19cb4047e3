// A session id is good for one program, ever. Whoever wants to start it takes the claim first; it
// stays after the end, so that a host that was slow to start finds the session taken and leaves.
import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { isRunning, readProcess, signalProcess } from "../processes/processes.ts";

export interface Claim {
  pid: number;
  /** With the pid, this names one process for good; see processes.ts. */
  startTime: string;
}

const SELF: Claim = { pid: process.pid, startTime: readProcess(process.pid)?.startTime ?? "" };

/** By default beside the socket: `<session>.sock` and `<session>.claim`. */
export const claimPathFor = (socketPath: string) => `${socketPath.replace(/\.sock$/, "")}.claim`;

/**
 * True for exactly one of all who ever try. A server that gives a session up takes its claim too:
 * a host of that session that has not begun yet then never does.
 */
export function takeClaim(path: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(SELF)}\n`, { mode: 0o600 });
  try {
    // Unlike an exclusive open, this makes the name and its content appear at once.
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** For a claim under which nothing was started. */
export const releaseClaim = (path: string) => rmSync(path, { force: true });

/** Whoever took it still runs. */
export function isHeld(path: string): boolean {
  const claim = readClaim(path);
  return claim !== undefined && isRunning(claim);
}

/** For a host that does nothing it is told any more; a server that gave the session up is none. */
export function killHolder(path: string): void {
  const claim = readClaim(path);
  if (claim !== undefined && claim.pid !== SELF.pid) signalProcess(claim, "SIGKILL");
}

export function readClaim(path: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Claim;
  } catch (error) {
    // Cut short by a power cut it names nobody, and is taken all the same.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
