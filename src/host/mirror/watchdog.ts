// Notices that a worker says nothing any more, and whether it was doing one and the same thing meanwhile.

/**
 * Silence is counted in short steps: a process that was not let run for a while (a suspended laptop, a paused
 * container) is late for one of them, and not for all.
 */
const STEPS = 5;
/** One that does something else every now and then is merely slow, up to here. */
const MOST_STEPS = 12 * STEPS;

interface WatchdogOptions {
  patienceMs: number;
  /** What it is doing now, by any number. */
  look(): number;
  onSilence(isStuck: boolean): void;
}

export function createWatchdog({ patienceMs, look, onSilence }: WatchdogOptions) {
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
    const now = look();
    same = now === seen ? same + 1 : 1;
    seen = now;
    if (same >= STEPS || silent >= MOST_STEPS) onSilence(same >= STEPS);
    else wait();
  };
  return {
    /** Something is to be heard from now on, unless it has been awaited before. */
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
