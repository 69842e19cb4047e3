// When the history is full, its oldest lines are dropped and all others are renumbered. The engine doesn't report that,
// so a line is found again by the text above it.
import type { LineSource } from "./lines.ts";

/** This many lines in a row hardly ever occur twice. */
const ROWS = 64;

/**
 * Call it before writing. Returns a function that tells by how many lines `line` has moved up since then; undefined if
 * it is gone.
 */
export function trackLine(source: LineSource, line: number): () => number | undefined {
  const history = source.historyLength();
  const end = Math.min(line + 1, history);
  if (end === 0) return () => 0;
  const first = Math.max(0, end - ROWS);
  const before = source.lines(first, end - first);
  const isAt = (by: number) => {
    const last = end - 1 - by;
    if (!source.lines(last, 1).isSame(0, before, before.count - 1)) return false;
    // The oldest of them may be gone.
    const from = Math.max(0, first - by);
    const now = source.lines(from, last - from);
    for (let row = 0; row < now.count; row++)
      if (!now.isSame(row, before, from + by - first + row)) return false;
    return true;
  };
  return () => {
    for (let by = Math.max(0, history - source.historyLength()); by < end; by++) if (isAt(by)) return by;
    return undefined;
  };
}
