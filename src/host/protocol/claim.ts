// A session id can be used for only one program. Starting it requires taking the claim first. The claim stays after the
// end, so that a host that is slow to start finds the session taken and exits.
import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { isRunning, readProcess, stillWorks } from "../processes/processes.ts";

export interface Claim {
  pid: number;
  /** With the pid, it identifies a process for good; see processes.ts. */
  startTime: string;
}

const SELF: Claim = { pid: process.pid, startTime: readProcess(process.pid)?.startTime ?? "" };

/** By default beside the socket: `<session>.claim` beside `<session>.sock`. */
export const claimPathFor = (socketPath: string) => `${socketPath.replace(/\.sock$/, "")}.claim`;

/**
 * True for exactly one caller, ever. A server that gives up a session takes its claim too, so that a host that has not
 * started yet never will.
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

/** For a claim with which nothing was started. */
export const releaseClaim = (path: string) => rmSync(path, { force: true });

/** Whoever took it still runs, and has not just been killed. */
export function isHeld(path: string): boolean {
  const claim = readClaim(path);
  return claim !== undefined && stillWorks(claim);
}

/** Whoever took it is suspended, as by SIGSTOP. */
export function isSuspended(path: string): boolean {
  const claim = readClaim(path);
  return claim !== undefined && /^t$/i.test(readProcess(claim.pid)?.state ?? "");
}

/** The host that holds it, if it is running, and not this server itself. */
export function findHolder(path: string): Claim | undefined {
  const claim = readClaim(path);
  return claim !== undefined && claim.pid !== SELF.pid && isRunning(claim) ? claim : undefined;
}

export function readClaim(path: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Claim;
  } catch (error) {
    // Truncated by a power cut, it names nobody but is still taken.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
