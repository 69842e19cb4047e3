import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readEnvironment } from "../../src/host/processes/processes.ts";

export interface FoundProcess {
  pid: number;
  command: string;
}

/** Everything whose environment mentions this: a marker, or a folder of the test's own. */
export function processesWith(text: string): FoundProcess[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => environmentOf(Number(pid)).includes(text) && !isZombie(pid))
    .map((pid) => ({ pid: Number(pid), command: read(pid, "cmdline").replaceAll("\0", " ") }));
}

/** Kills them until none is left. */
export async function endProcesses(text: string): Promise<void> {
  for (let found = processesWith(text); found.length > 0; found = processesWith(text)) {
    for (const { pid } of found) kill(pid);
    await Bun.sleep(5);
  }
}

/** Of one that is just becoming another program it is waited for. */
function environmentOf(pid: number): string {
  for (;;) {
    const environment = readEnvironment(pid);
    if (environment !== undefined) return environment;
    Bun.sleepSync(1);
  }
}

function kill(pid: number) {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as { code?: string }).code !== "ESRCH") throw error; // else it ended while we looked
  }
}

const isZombie = (pid: string) => /^\d+ \(.*\) [ZX]/s.test(read(pid, "stat"));

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return ""; // it ended while we looked, or belongs to someone else
  }
}
