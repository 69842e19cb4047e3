// Ends everything a session started, or all sessions of a task: asked politely first, then not. Processes
// that hide in a new group or session, that ignore the request, or that keep forking are found again until
// none is left.
import { findProcesses, isRunning, type Process, signalProcess } from "./processes.ts";

const LOOK_AGAIN_MS = 50;
const GIVE_UP_MS = 9_000;
/** The program is not there any more: what it left is known by its mark. */
export const NO_LEADER = -1;

export interface StopOptions {
  /** The session's, unless another marker is named. */
  id: string;
  marker?: string;
  leader: number;
  /** How long the polite request is given. */
  graceMs: number;
  /** Called when it is known who there is: what this ends may let go of others, which then carry no mark. */
  begin?(): void;
}

/** The processes that could not be ended; none, unless one is another user's or the kernel holds on to it. */
export async function stopEverything({ id, marker, leader, graceMs, begin }: StopOptions): Promise<number[]> {
  const started = performance.now();
  // Whatever belonged to it once: on its way out, or with another environment, a process has no mark any more.
  const known = new Map<string, Process>();
  const asked = new Set<string>();
  const once = (found: Process, ...signals: NodeJS.Signals[]) => {
    const key = `${nameOf(found)}/${signals[0]}`;
    if (asked.has(key)) return;
    asked.add(key);
    for (const signal of signals) signalProcess(found, signal);
  };
  /** Those of which no look could tell so far. */
  let unread: Set<string> | undefined;
  const look = () => {
    const found = findProcesses(id, leader, marker);
    for (const process of found.own) known.set(nameOf(process), process);
    const names = new Set(found.unread.map(nameOf));
    unread = unread?.intersection(names) ?? names;
  };
  if (begin !== undefined) {
    look();
    begin();
  }
  for (;;) {
    look();
    const left = [...known.values()].filter(isRunning);
    const elapsed = performance.now() - started;
    const isDone = left.length === 0 && unread?.size === 0;
    if (isDone || elapsed > GIVE_UP_MS) return left.map(({ pid }) => pid);
    for (const found of left) {
      if (elapsed >= graceMs) {
        signalProcess(found, "SIGKILL");
        continue;
      }
      // What is stopped must run to hear the request; shells ignore it, but let go on a hang-up.
      once(found, "SIGTERM", "SIGCONT");
      if (elapsed >= graceMs / 2) once(found, "SIGHUP", "SIGCONT");
    }
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

const nameOf = ({ pid, startTime }: Process) => `${pid}/${startTime}`;
