// Which task a session belongs to, according to its processes' environment. Needs neither the database nor the host.

import { readFileSync } from "node:fs";
import { findProcesses, readEnvironment, TASK_MARKER } from "../../host/processes/processes.ts";

const MARK = new RegExp(`(?:^|\0)${TASK_MARKER}=([0-9a-z]{16})\0`);

export const taskOfSession = (sessionId: string): string | undefined =>
  findProcesses(sessionId)
    .own.map(({ pid }) => MARK.exec(readEnvironment(pid) ?? "")?.[1])
    .find((taskId) => taskId !== undefined);

/** A process's command line; empty if it has ended. */
export function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return [];
  }
}
