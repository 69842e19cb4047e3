// Decides when the mirror reads on. What a person could be waiting for is read at once. Streaming output may pile up,
// because nobody sees it here, and of many lines read together most don't have to be drawn (see vt/flood.ts).

/** This many bytes may come at once before they count as a stream, and this many more each millisecond. */
const CREDIT = 16_384;
const CREDIT_PER_MS = 128;
/** Bytes to read together. */
export const ENOUGH_BYTES = 2_097_152;
/** Output that fills that sooner is faster than the mirror can read. */
const FLOOD_MS = 50;
/** A program that prints endlessly may still send its terminal a query. */
const LONGEST_MS = 1_000;

export function createRest(now = () => performance.now()) {
  let credit = CREDIT;
  let last = 0;
  let readAt = 0;
  return {
    printed(bytes: number) {
      const time = now();
      credit = Math.min(CREDIT, credit + (time - last) * CREDIT_PER_MS) - bytes;
      credit = Math.max(credit, -CREDIT);
      last = time;
    },
    /** Whether to read now, with this much unread. */
    isDue(backlog: number): boolean {
      if (credit >= 0) return true;
      const rested = now() - readAt;
      return rested >= LONGEST_MS || (rested >= FLOOD_MS && backlog >= ENOUGH_BYTES);
    },
    reading() {
      readAt = now();
    },
  };
}
