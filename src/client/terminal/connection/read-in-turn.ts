// Read-only terminals are read one after the other, and together get a fifth of the page's time: what they print never
// slows down the one that is typed into.

const REST_MS = 100;
/** With a longer turn, a key that is pressed meanwhile feels slow. */
const TURN_MS = 8;
const SHARE = 5;

/** The next one is first. */
const readers = new Set<() => void>();
let isReading = false;

/** Returns how to stop. */
export function readInTurn(read: () => void): () => void {
  readers.add(read);
  if (!isReading) setTimeout(turn, REST_MS);
  isReading = true;
  return () => readers.delete(read);
}

function turn() {
  const began = performance.now();
  let spent = 0;
  for (const read of [...readers]) {
    readers.delete(read);
    readers.add(read);
    read();
    spent = performance.now() - began;
    if (spent >= TURN_MS) break;
  }
  isReading = readers.size > 0;
  if (isReading) setTimeout(turn, spent < TURN_MS ? REST_MS : spent * (SHARE - 1));
}
