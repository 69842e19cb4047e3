// Notices that a worker has gone silent, and whether it has been stuck in one call all the time.

/** Silence is counted in short steps: a suspended laptop or a paused container is late for one step, not for all. */
const STEPS = 5;
/** A worker that is not stuck is merely slow, up to here. */
const MOST_STEPS = 12 * STEPS;

interface WatchdogOptions {
  patienceMs: number;
  /** A number that changes whenever it does something new. */
  progress(): number;
  onSilence(isStuck: boolean): void;
}

export function createWatchdog({ patienceMs, progress, onSilence }: WatchdogOptions) {
  let timer: Timer | undefined;
  let silent = 0;
  let seen = 0;
  /** For how many steps it has been doing the same. */
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
