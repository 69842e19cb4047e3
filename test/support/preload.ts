// Loaded before the tests (bunfig.toml): sees to it that the run leaves nothing behind.

import { afterAll } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { RUN_MARKER } from "./program.ts";
import { TEMP_ROOT } from "./temp.ts";

process.env[RUN_MARKER.name] = RUN_MARKER.value;

afterAll(() => {
  const processes = ownProcesses();
  const folders = existsSync(TEMP_ROOT) ? readdirSync(TEMP_ROOT) : [];
  if (processes.length > 0) throw new Error(`the tests left processes behind: ${processes.join("; ")}`);
  if (folders.length > 0) throw new Error(`the tests left folders in ${TEMP_ROOT}: ${folders.join(", ")}`);
  if (existsSync(TEMP_ROOT)) rmdirSync(TEMP_ROOT);
});

/** Whatever a test started, directly or not, carries this run's marker in its environment. */
function ownProcesses(): string[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(pid, "environ").split("\0").includes(`${RUN_MARKER.name}=${RUN_MARKER.value}`))
    .map((pid) => `${pid} ${read(pid, "cmdline").replaceAll("\0", " ")}`);
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // it ended while we looked, or belongs to someone else
  }
}
