// When output is passed on: a lone chunk at once, and so is the echo of a fast typist; a stream of
// small chunks goes a few milliseconds' worth at a time.

const INTERVAL_MS = 4;
const ENOUGH_BYTES = 65_536;
/** So many may go at once before it counts as a stream, and so many more each millisecond. */
const CREDIT = 16;
const CREDIT_PER_MS = 10;

export function createPacer(flush: () => void) {
  let last = 0;
  let waiting = 0;
  let credit = CREDIT;
  let timer: Timer | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = 0;
    flush();
  };
  return {
    add(bytes: number) {
      const time = performance.now();
      credit = Math.min(CREDIT, credit + (time - last) * CREDIT_PER_MS);
      last = time;
      waiting += bytes;
      if (credit >= 1 && timer === undefined) {
        credit--;
        now();
      } else if (waiting >= ENOUGH_BYTES) now();
      else timer ??= setTimeout(now, INTERVAL_MS);
    },
    now,
  };
}
