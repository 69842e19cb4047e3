// One temporary folder for everything a run puts on disk. What is left in it at the end was left behind, and so was
// every process that has it in its environment.

import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const RAM_DISK = "/dev/shm";
const NEEDED_BYTES = 2 << 30;
/** What was told to end may take a moment. */
const GRACE_MS = 3_000;

export interface RunFolder {
  path: string;
  /** Looked at when everything is over. */
  leftovers(): Promise<{ processes: string[]; files: string[] }>;
  remove(): void;
}

/** From now on the place for temporary files, of this process and of all that it starts. */
export function makeRunFolder(): RunFolder {
  // With a short name: it is part of the paths of sockets.
  const path = mkdtempSync(join(hasRamDisk() ? RAM_DISK : tmpdir(), "bt-"));
  process.env.TMPDIR = path;
  return {
    path,
    async leftovers() {
      const deadline = performance.now() + GRACE_MS;
      while (processesIn(path).length > 0 && performance.now() < deadline) await Bun.sleep(100);
      return { processes: processesIn(path), files: readdirSync(path).sort() };
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** No test simulates a power cut, so nothing needs a real disk. */
function hasRamDisk(): boolean {
  if (process.env.TMPDIR !== undefined) return false;
  try {
    accessSync(RAM_DISK, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(RAM_DISK);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

function processesIn(folder: string): string[] {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "latin1");
    } catch {
      return ""; // it has ended, or is somebody else's
    }
  };
  if (!existsSync("/proc/self/environ")) return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids
    .filter(
      (pid) => read(pid, "environ").includes(`${folder}/`) || read(pid, "environ").includes(`=${folder}\0`),
    )
    .map((pid) => `${pid} ${read(pid, "cmdline").replaceAll("\0", " ").trim()}`);
}
