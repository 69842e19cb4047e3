// Notices that a worker has gone silent, and whether it is stuck in one call.

/** Silence is counted in short steps, so that a suspended laptop or paused container is late for only one of them. */
const STEPS = 5;
/** Until then, a worker that isn't stuck counts as merely slow. */
const MOST_STEPS = 12 * STEPS;

interface WatchdogOptions {
  patienceMs: number;
  /** A number that changes whenever the worker does something new. */
  progress(): number;
  onSilence(isStuck: boolean): void;
}

export function createWatchdog({ patienceMs, progress, onSilence }: WatchdogOptions) {
  let timer: Timer | undefined;
  let silent = 0;
  let seen = 0;
  /** For how many steps it has been doing the same thing. */
  let same = 0;
  const wait = () => {
    timer = setTimeout(step, patienceMs / STEPS);
  };
  const step = () => {
    silent++;
    const now = progress();
    same = now === seen ? same + 1 : 1;
    seen = now;
    if (same >= STEPS || silent >= MOST_STEPS) onSilence(same >= STEPS);
    else wait();
  };
  return {
    /** A message is expected from now on, if none was before. */
    expect() {
      if (timer !== undefined) return;
      silent = 0;
      same = 0;
      wait();
    },
    rest() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
