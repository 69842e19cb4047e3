// Looks for a text in everything the terminal still has, across the ends of wrapped rows.
import type { Emulator } from "../engine/emulator.ts";
import { type LineSpan, LogicalLine } from "../engine/logical-line.ts";

export type Match = readonly LineSpan[];

/** So many are enough for anyone to see that the question was too wide. */
export const MOST_MATCHES = 2_000;
const CHUNK = 500;

/** Oldest first. Capitals count only when the question has some. */
export function findMatches(emulator: Emulator, query: string): Match[] {
  if (query === "") return [];
  const isExact = query !== query.toLowerCase();
  const matches: Match[] = [];
  const { cols, rows } = emulator.size();
  for (const line of logicalLines(emulator, emulator.historyLength(), rows)) {
    // Lower case may be longer than the original; then the original is as good.
    const lower = line.text.toLowerCase();
    const text = isExact || lower.length !== line.text.length ? line.text : lower;
    for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
      matches.push(line.spans(at, at + query.length, cols));
    }
  }
  return matches.slice(-MOST_MATCHES);
}

function* logicalLines(emulator: Emulator, history: number, rows: number): Generator<LogicalLine> {
  let first = 0;
  let parts: { text: string; columns: number[] }[] = [];
  const total = history + rows;
  for (let from = 0; from < total; from += CHUNK) {
    // And the one after them, which tells whether the last goes on.
    const lines = emulator.lines(from, Math.min(CHUNK + 1, total - from));
    for (let row = 0; row < Math.min(CHUNK, lines.count); row++) {
      const line = from + row;
      parts.push(lines.rowText(row));
      const next = line + 1;
      const goesOn = next < total && (next < history ? lines.goesOn(row) : emulator.continues(next));
      if (goesOn) continue;
      yield new LogicalLine(first, parts);
      first = next;
      parts = [];
    }
  }
}
