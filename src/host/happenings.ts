// When what a program told its terminal is passed on: at once, and in a flood ten times a second.
import type { Happening } from "../vt/sticky.ts";
import { Newest } from "./newest.ts";

const INTERVAL_MS = 100;

export function createHappenings(tell: (happening: Happening) => void) {
  const waiting = new Newest<Happening>(({ type }) => type);
  let timer: Timer | undefined;
  const flush = () => {
    clearTimeout(timer);
    const happenings = waiting.take();
    timer = happenings.length > 0 ? setTimeout(flush, INTERVAL_MS) : undefined;
    for (const happening of happenings) tell(happening);
  };
  return {
    add(happening: Happening) {
      waiting.add(happening);
      if (timer === undefined) flush();
    },
    flush,
  };
}
