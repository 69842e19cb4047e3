// Ends everything that a session, or all sessions of a task, started: politely first, then by force. Keeps looking for
// processes that hide in a new group or session, ignore the request, or keep forking, until none is left.
import { findProcesses, isRunning, nameOf, type Process, signalProcess, type Traces } from "./processes.ts";

const LOOK_AGAIN_MS = 50;
const GIVE_UP_MS = 9_000;

export interface StopOptions extends Traces {
  /** The session's id, or the task's with the task marker. */
  id: string;
  /** How long to wait before using force. */
  graceMs: number;
}

/** Resolves with the processes that could not be ended: another user's, or ones stuck in the kernel. */
export async function stopEverything({ id, graceMs, ...traces }: StopOptions): Promise<number[]> {
  const started = performance.now();
  // Everything that ever belonged to it, because a process that is exiting or has changed its environment has no mark.
  const known = new Map<string, Process>();
  const asked = new Set<string>();
  const once = (found: Process, ...signals: NodeJS.Signals[]) => {
    const key = `${nameOf(found)}/${signals[0]}`;
    if (asked.has(key)) return;
    asked.add(key);
    for (const signal of signals) signalProcess(found, signal);
  };
  /** Processes whose environment has not been readable so far. */
  let unread: Set<string> | undefined;
  const look = () => {
    const found = findProcesses(id, traces);
    for (const process of found.own) known.set(nameOf(process), process);
    const names = new Set(found.unread.map(nameOf));
    unread = unread?.intersection(names) ?? names;
  };
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
      // A stopped process has to continue to receive the request. Shells ignore SIGTERM, but exit on SIGHUP.
      once(found, "SIGTERM", "SIGCONT");
      if (elapsed >= graceMs / 2) once(found, "SIGHUP", "SIGCONT");
    }
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}
