// Read-only terminals take turns, and together get a fifth of the page's time, so that their output never slows down
// the terminal that somebody is typing into.

const REST_MS = 100;
/** During a longer turn, typing would feel slow. */
const TURN_MS = 8;
const SHARE = 5;

/** The first one is next. */
const readers = new Set<() => void>();
let isReading = false;

/** Returns a function that stops it. */
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
