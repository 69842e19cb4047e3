// Reports whether the program is printing: when it starts, about once a second while it continues, and when it stops.
// Called for every chunk of output, so it does very little.
import type { Activity } from "../protocol/messages.ts";

/** Longer than the pauses of spinners and of programs that are thinking, but short enough for people who wait. */
const QUIET_MS = 700;
const REPEAT_MS = 1_000;

export function createActivity(tell: (activity: Activity) => void) {
  let quiet = true;
  let outputAt: number | undefined;
  let toldAt = 0;
  let timer: Timer | undefined;
  const check = () => {
    const left = QUIET_MS - (performance.now() - (outputAt ?? 0));
    if (left > 0) {
      timer = setTimeout(check, left);
      return;
    }
    quiet = true;
    tell({ type: "quiet" });
  };
  return {
    output() {
      const now = performance.now();
      outputAt = now;
      if (!quiet && now - toldAt < REPEAT_MS) return;
      if (quiet) timer = setTimeout(check, QUIET_MS);
      quiet = false;
      toldAt = now;
      tell({ type: "output" });
    },
    /** No output for a while, or none yet. */
    isQuiet: () => quiet,
    lastOutputAt: () =>
      outputAt === undefined ? null : new Date(Date.now() - (performance.now() - outputAt)).toISOString(),
    /** There will be no more output. */
    end() {
      clearTimeout(timer);
      quiet = true;
    },
  };
}
