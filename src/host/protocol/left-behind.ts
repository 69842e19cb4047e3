// Records what a task's programs left running when their host exited. A daemon may have no mark, and then nothing else
// tells whose it is.
import { appendFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Identity } from "../processes/processes.ts";

/** Process ids and start times are meaningless after a reboot. */
const BOOT = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();

/** One file for all sessions and shells of a task, beside their sockets. */
export const leftPathFor = (claimPath: string, taskId: string) => join(dirname(claimPath), `${taskId}.left`);

export function writeLeft(path: string, processes: Identity[]): void {
  const lines = processes.map(({ pid, startTime }) => `${JSON.stringify({ boot: BOOT, pid, startTime })}\n`);
  if (lines.length > 0) appendFileSync(path, lines.join(""), { mode: 0o600 });
}

export function readLeft(path: string): Identity[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return text.split("\n").flatMap((line) => {
    try {
      const { boot, ...left } = JSON.parse(line) as Identity & { boot: string };
      return boot === BOOT ? [left] : [];
    } catch {
      return []; // the end, or half a line from a full disk
    }
  });
}
