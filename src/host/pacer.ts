// When output is passed on: a lone chunk at once, a stream of them a few milliseconds' worth at a time.

const INTERVAL_MS = 4;
const ENOUGH_BYTES = 65_536;

export function createPacer(flush: () => void) {
  let last = 0;
  let waiting = 0;
  let timer: Timer | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = 0;
    last = performance.now();
    flush();
  };
  return {
    add(bytes: number) {
      waiting += bytes;
      if (waiting >= ENOUGH_BYTES || performance.now() - last >= INTERVAL_MS) now();
      else timer ??= setTimeout(now, INTERVAL_MS);
    },
    now,
  };
}
