// Whether the program is saying something: told when it starts to, now and then while it goes on, and
// when it has stopped. Called for every chunk of output, so it does next to nothing.
import type { Activity } from "../protocol/messages.ts";

/** Longer than a spinner's frame or a pause for breath, shorter than anybody's patience. */
const QUIET_MS = 700;
const REPEAT_MS = 1_000;

export function createActivity(tell: (activity: Activity) => void) {
  let quiet = true;
  let seenAt: number | undefined;
  let toldAt = 0;
  let timer: Timer | undefined;
  const look = () => {
    const left = QUIET_MS - (performance.now() - (seenAt ?? 0));
    if (left > 0) {
      timer = setTimeout(look, left);
      return;
    }
    quiet = true;
    tell({ type: "quiet" });
  };
  return {
    output() {
      const now = performance.now();
      seenAt = now;
      if (!quiet && now - toldAt < REPEAT_MS) return;
      if (quiet) timer = setTimeout(look, QUIET_MS);
      quiet = false;
      toldAt = now;
      tell({ type: "output" });
    },
    /** Nothing for a while, or nothing at all yet. */
    isQuiet: () => quiet,
    lastOutputAt: () =>
      seenAt === undefined ? null : new Date(Date.now() - (performance.now() - seenAt)).toISOString(),
    /** There will be no more output. */
    end() {
      clearTimeout(timer);
      quiet = true;
    },
  };
}
