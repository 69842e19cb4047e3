// Which processes belong to a session or a task, as Linux tells it. A process id alone is never trusted:
// it may have been given to somebody else, so every one carries the time it started.
import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  pid: number;
  /** Clock ticks after boot; with the pid, this names one process for good. */
  startTime: string;
  parent: number;
  session: number;
  state: string;
}

/** Everything a session starts inherits this variable. */
export const MARKER = "BANTO_SESSION_ID";
/** Everything that all sessions and shells of a task start inherits this one too. */
export const TASK_MARKER = "BANTO_TASK_ID";

export function readProcess(pid: number): Process | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined; // it ended, or never was
  }
  const fields = fieldsOf(stat);
  const [state = "", parent, , session] = fields;
  return { pid, state, parent: Number(parent), session: Number(session), startTime: fields[19] ?? "" };
}

/** The name in parentheses may hold anything, so they are counted from its end. */
const fieldsOf = (stat: string) => stat.slice(stat.lastIndexOf(")") + 2).split(" ");

/** Still this one, and not merely waiting for its parent to look. */
export function isRunning({ pid, startTime }: Pick<Process, "pid" | "startTime">): boolean {
  const found = readProcess(pid);
  return found !== undefined && found.startTime === startTime && !hasEnded(found);
}

const hasEnded = ({ state }: Process) => state === "Z" || state === "X";

/**
 * What a process was started with: "" when it ended or is somebody else's, undefined when it can't be said yet,
 * because it is just becoming another program, which takes milliseconds, or more on a busy machine.
 */
export function readEnvironment(pid: number): string | undefined {
  const read = () => readFileSync(`/proc/${pid}/environ`, "latin1");
  try {
    const environment = read();
    if (environment !== "") return environment;
    const fields = fieldsOf(readFileSync(`/proc/${pid}/stat`, "latin1"));
    const [memory, environmentEnd] = [fields[20], fields[48]];
    if (memory !== "0" && environmentEnd === "0") return undefined;
    return read(); // it may have become that program between the two
  } catch {
    return "";
  }
}

/** The members of this process's own control group, when it was given one to itself. */
function scopeMembers(sessionId: string): Set<number> {
  try {
    const path = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "";
    if (!path.endsWith(`/${scopeName(sessionId)}`)) return new Set();
    return new Set(readFileSync(`/sys/fs/cgroup${path}/cgroup.procs`, "utf8").split("\n").map(Number));
  } catch {
    return new Set(); // no unified hierarchy here
  }
}

export const scopeName = (sessionId: string) => `banto-${sessionId}.scope`;

interface Found {
  own: Process[];
  /** They may be: what they were started with can't be read yet. */
  unread: Process[];
}

/**
 * All living processes of a session but this one: in its control group, in the terminal's process
 * session, marked, or a descendant of any of these. With the other marker those of a task.
 */
export function findProcesses(id: string, leader: number, marker = MARKER): Found {
  const scope = scopeMembers(id);
  const all = readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid)
    .map(readProcess)
    .filter((found) => found !== undefined)
    .filter((found) => !hasEnded(found));
  const own = new Set<number>();
  const unread = new Set<number>();
  for (const { pid, session } of all) {
    const environment = readEnvironment(pid);
    if (environment === undefined) unread.add(pid);
    const isMarked = `\0${environment ?? ""}`.includes(`\0${marker}=${id}\0`);
    if (scope.has(pid) || session === leader || isMarked) own.add(pid);
  }
  let grown = true;
  while (grown) {
    grown = false;
    for (const { pid, parent } of all) {
      if (own.has(pid) || !own.has(parent)) continue;
      own.add(pid);
      grown = true;
    }
  }
  return {
    own: all.filter(({ pid }) => own.has(pid)),
    unread: all.filter(({ pid }) => unread.has(pid) && !own.has(pid)),
  };
}

/** Sends a signal to exactly this process, or to nobody if it is gone. */
export function signalProcess(target: Pick<Process, "pid" | "startTime">, signal: NodeJS.Signals): void {
  if (readProcess(target.pid)?.startTime === target.startTime) sendSignal(target.pid, signal);
}

/** To a process, or with a negative number to a group: as far as that is there and ours. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has just gone, or (EPERM) sudo made it somebody else's.
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["ESRCH", "EPERM"].includes(code)) throw error;
  }
}
