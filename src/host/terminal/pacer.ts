// When output is passed on. A lone chunk goes at once; so do a fast typist's echo and a program that draws its whole
// screen. Continuous output goes every few milliseconds, because passing on costs the same for one byte as for many, in
// every process on the way.

const INTERVAL_MS = 4;
const ENOUGH_BYTES = 65_536;
/** So many bytes may go at once before they count as a stream, and so many more each millisecond. */
const CREDIT = 16_384;
const CREDIT_PER_MS = 1_024;

export function createPacer(flush: () => void) {
  let last = 0;
  let waiting = 0;
  let since = 0;
  let credit = CREDIT;
  let timer: Timer | undefined;
  const flushNow = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = 0;
    flush();
  };
  return {
    add(bytes: number) {
      const time = performance.now();
      credit = Math.min(CREDIT, credit + (time - last) * CREDIT_PER_MS) - bytes;
      last = time;
      if (waiting === 0) since = time;
      waiting += bytes;
      // The clock is looked at too: under a flood timers come late.
      if (credit >= 0 || waiting >= ENOUGH_BYTES || time - since >= INTERVAL_MS) flushNow();
      else timer ??= setTimeout(flushNow, INTERVAL_MS);
      credit = Math.max(credit, -CREDIT);
    },
    flushNow,
  };
}
