// How long a viewer may keep others waiting, or say nothing at all.

export interface Patience {
  /** How often a quiet viewer is asked for a sign of life. */
  pingMs: number;
  /** Nothing heard for so long: it is gone, whatever its connection says. */
  deadMs: number;
  /** Something waits for it, or it waits for the program, and nothing has moved for so long. */
  slowMs: number;
}

export const PATIENCE: Patience = { pingMs: 15_000, deadMs: 45_000, slowMs: 60_000 };

/** One direction of a connection. */
export interface Flow {
  isHeld: boolean;
  /** Only ever grows; standing still while something is held up is what counts as slow. */
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
        // Its answer to a ping would have to queue behind what is held up.
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

/** Milliseconds of which those are left out in which this process itself was not let run: then it heard nobody. */
export function createRunningClock(longestTick: number, time = () => performance.now()) {
  let ticked = time();
  let lost = 0;
  return {
    /** To be called more often than that. */
    tick() {
      const now = time();
      lost += Math.max(0, now - ticked - longestTick);
      ticked = now;
    },
    now: () => time() - lost,
  };
}
