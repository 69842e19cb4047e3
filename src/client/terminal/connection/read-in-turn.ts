// Terminals that are only watched are read one after the other, and all of them together get a fifth of the
// page's time: what they print never slows down the one that is typed into.

const REST_MS = 100;
/** Longer at a stretch, and a key that is pressed meanwhile is felt to wait. */
const STRETCH_MS = 8;
const SHARE = 5;

/** Whose turn it is comes first. */
const readers = new Set<() => void>();
let isReading = false;

/** Gives how to leave. */
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
    if (spent >= STRETCH_MS) break;
  }
  isReading = readers.size > 0;
  if (isReading) setTimeout(turn, spent < STRETCH_MS ? REST_MS : spent * (SHARE - 1));
}
