// When the history is full its oldest lines are dropped, and all others get another number. The engine does not say so;
// what stood in the lines above a place shows where it is now.
import type { Emulator } from "./emulator.ts";

/** So many lines are hardly ever there twice. */
const ROWS = 64;

/** To be had before something is written. Tells afterwards by how many lines a place has moved up; undefined: it is gone. */
export function landmark(emulator: Emulator, line: number): () => number | undefined {
  const history = emulator.historyLength();
  const end = Math.min(line + 1, history);
  if (end === 0) return () => 0;
  const first = Math.max(0, end - ROWS);
  const before = emulator.lines(first, end - first);
  const isAt = (by: number) => {
    const last = end - 1 - by;
    if (!emulator.lines(last, 1).isSame(0, before, before.count - 1)) return false;
    // Some of them may be gone already.
    const from = Math.max(0, first - by);
    const now = emulator.lines(from, last - from);
    for (let row = 0; row < now.count; row++)
      if (!now.isSame(row, before, from + by - first + row)) return false;
    return true;
  };
  return () => {
    for (let by = Math.max(0, history - emulator.historyLength()); by < end; by++) if (isAt(by)) return by;
    return undefined;
  };
}
