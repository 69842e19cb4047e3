// Finds the processes of a session or a task on Linux. A process id alone is never trusted, because it may have been
// reused, so it always comes with the time its process started.
import { readdirSync, readFileSync } from "node:fs";

export interface Identity {
  pid: number;
  /** Clock ticks after boot. With the pid, it identifies a process for good. */
  startTime: string;
}

export interface Process extends Identity {
  parent: number;
  session: number;
  state: string;
  /** It runs no more of its program: the kernel is taking it apart. */
  isEnding: boolean;
}

/** Everything a session starts inherits this variable. */
export const MARKER = "BANTO_SESSION_ID";
/** Everything that sessions and shells of a task start inherits this one too. */
export const TASK_MARKER = "BANTO_TASK_ID";

/** A bit of the kernel's flags. */
const PF_EXITING = 0x4;

export function readProcess(pid: number): Process | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined; // it ended, or never was
  }
  const fields = fieldsOf(stat);
  const [state = "", parent, , session] = fields;
  return {
    pid,
    state,
    parent: Number(parent),
    session: Number(session),
    startTime: fields[19] ?? "",
    isEnding: (Number(fields[6]) & PF_EXITING) !== 0,
  };
}

/** The name in parentheses may contain anything, so fields are counted from its end. */
const fieldsOf = (stat: string) => stat.slice(stat.lastIndexOf(")") + 2).split(" ");

/** Whether it is still the same process, and not a zombie. */
export const isRunning = (one: Identity): boolean => find(one) !== undefined;

/** The same, and the kernel is not taking it apart yet: its sockets close before it is gone. */
export const stillWorks = (one: Identity): boolean => find(one)?.isEnding === false;

function find({ pid, startTime }: Identity): Process | undefined {
  const found = readProcess(pid);
  return found?.startTime === startTime && !hasEnded(found) ? found : undefined;
}

const hasEnded = ({ state }: Process) => state === "Z" || state === "X";

/**
 * A process's initial environment: "" if it has ended or belongs to another user, undefined if it can't be read yet
 * because the process is executing another program, which takes milliseconds, or longer on a busy machine.
 */
export function readEnvironment(pid: number): string | undefined {
  const read = () => readFileSync(`/proc/${pid}/environ`, "latin1");
  try {
    const environment = read();
    if (environment !== "") return environment;
    const fields = fieldsOf(readFileSync(`/proc/${pid}/stat`, "latin1"));
    const [memory, environmentEnd] = [fields[20], fields[48]];
    if (memory !== "0" && environmentEnd === "0") return undefined;
    return read(); // it may have finished in between
  } catch {
    return "";
  }
}

/** The members of this process's own control group, if it has its own. */
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

/** Other ways than the marker to recognise a session's processes. */
export interface Traces {
  /** The leader of the terminal's process session. */
  leader?: number | undefined;
  /** The host: all its children belong to the session, started or adopted. */
  host?: number | undefined;
  marker?: string | undefined;
  /** Known from before to belong to the session. */
  left?: Identity[] | undefined;
}

export const nameOf = ({ pid, startTime }: Identity) => `${pid}/${startTime}`;

interface Found {
  own: Process[];
  /** Processes that may belong to it: their environment can't be read yet. */
  unread: Process[];
}

/**
 * All live processes of a session except its host: in its control group, in the terminal's process session, marked, or
 * a descendant of any of these or of the host. With the other marker, those of a task.
 */
export function findProcesses(id: string, { leader, host, marker = MARKER, left = [] }: Traces = {}): Found {
  const scope = scopeMembers(id);
  const all = readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid)
    .map(readProcess)
    .filter((found) => found !== undefined)
    .filter((found) => !hasEnded(found));
  const own = new Set<number>();
  const unread = new Set<number>();
  const known = new Set(left.map(nameOf));
  for (const { pid, session, parent, startTime } of all) {
    const environment = readEnvironment(pid);
    if (environment === undefined) unread.add(pid);
    const isMarked = `\0${environment ?? ""}`.includes(`\0${marker}=${id}\0`);
    const isLeft = known.has(nameOf({ pid, startTime }));
    const isOwn = scope.has(pid) || session === leader || parent === host || isMarked || isLeft;
    if (isOwn && pid !== host) own.add(pid);
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

/** Sends a signal to exactly this process, unless it is gone. */
export function signalProcess(target: Identity, signal: NodeJS.Signals): void {
  if (readProcess(target.pid)?.startTime === target.startTime) sendSignal(target.pid, signal);
}

/** Signals a process, or with a negative number a group, if it exists and is ours. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has just ended, or (EPERM) sudo gave it to another user.
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["ESRCH", "EPERM"].includes(code)) throw error;
  }
}
