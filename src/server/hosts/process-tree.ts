import { readProcess } from "../../host/processes/processes.ts";

/** Whether one process was started by the other, or by one that it has started. */
export function isBelow(ancestor: number, pid: number): boolean {
  for (let at = readProcess(pid); at !== undefined && at.pid > 1; at = readProcess(at.parent)) {
    if (at.pid === ancestor) return true;
  }
  return false;
}

/** In clock ticks after boot; with the id it names a process for good. */
export const startTimeOf = (pid: number) => readProcess(pid)?.startTime;
