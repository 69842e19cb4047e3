// How long a viewer may block others, or be silent.

export interface Patience {
  /** How often a silent viewer is sent a ping. */
  pingMs: number;
  /** After this silence it is gone, whatever its connection says. */
  deadMs: number;
  /** The longest time that something may wait for it, or it for the program, without any progress. */
  slowMs: number;
}

export const PATIENCE: Patience = { pingMs: 15_000, deadMs: 45_000, slowMs: 60_000 };

/** One direction of a connection. */
export interface Flow {
  isHeld: boolean;
  /** Only grows. Slow means that it doesn't grow while something is held up. */
  passed: number;
}

class Stopwatch {
  #passed = 0;
  #since: number;

  constructor(now: number) {
    this.#since = now;
  }

  stuckFor({ isHeld, passed }: Flow, now: number): number {
    if (!isHeld || passed > this.#passed) this.#since = now;
    this.#passed = passed;
    return now - this.#since;
  }
}

export function createLiveness(patience: Patience, flows: number, start: number) {
  const stopwatches = Array.from({ length: flows }, () => new Stopwatch(start));
  let heard = start;
  let pinged = start;
  return {
    heard(now: number) {
      heard = now;
    },
    judge(current: Flow[], now: number): "fine" | "ping" | "slow" | "dead" {
      const stuck = current.map((flow, i) => stopwatches[i]?.stuckFor(flow, now) ?? 0);
      if (Math.max(...stuck) >= patience.slowMs) return "slow";
      if (current.some(({ isHeld }) => isHeld)) {
        // Its answer to a ping would queue behind what is held up.
        heard = now;
        return "fine";
      }
      if (now - heard >= patience.deadMs) return "dead";
      if (now - pinged < patience.pingMs) return "fine";
      pinged = now;
      return "ping";
    },
  };
}

/** A clock that leaves out the time in which this process was suspended and could hear nobody. */
export function createRunningClock(longestTick: number, time = () => performance.now()) {
  let ticked = time();
  let lost = 0;
  return {
    /** Call it more often than `longestTick`. */
    tick() {
      const now = time();
      lost += Math.max(0, now - ticked - longestTick);
      ticked = now;
    },
    now: () => time() - lost,
  };
}
