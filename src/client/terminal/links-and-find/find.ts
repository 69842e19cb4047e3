// Finds text in the history and on the screen, across wrapped rows.
import type { LineSource, RowText } from "../engine/lines.ts";
import { type LineSpan, LogicalLine } from "../engine/logical-line.ts";

export type Match = readonly LineSpan[];

/** Nobody steps through more than this. */
export const MOST_MATCHES = 2_000;
const CHUNK = 500;

/** Oldest first. Case matters only when the query has capitals. */
export function findMatches(source: LineSource, query: string): Match[] {
  if (query === "") return [];
  const isExact = query !== query.toLowerCase();
  const found: { line: LogicalLine; at: number }[] = [];
  const { cols, rows } = source.size();
  for (const line of logicalLines(source, source.historyLength(), rows)) {
    // If lower case is longer than the original, columns would no longer match.
    const lower = line.text.toLowerCase();
    const text = isExact || lower.length !== line.text.length ? line.text : lower;
    for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
      found.push({ line, at });
    }
  }
  // Only of those that are shown: a line may have as many rows as the history, and a match in every cell.
  return found.slice(-MOST_MATCHES).map(({ line, at }) => line.spans(at, at + query.length, cols));
}

function* logicalLines(source: LineSource, history: number, rows: number): Generator<LogicalLine> {
  let first = 0;
  let parts: RowText[] = [];
  const total = history + rows;
  for (let from = 0; from < total; from += CHUNK) {
    // One more than needed, to know whether the last one was wrapped.
    const lines = source.lines(from, Math.min(CHUNK + 1, total - from));
    for (let row = 0; row < Math.min(CHUNK, lines.count); row++) {
      const line = from + row;
      parts.push(lines.rowText(row));
      const next = line + 1;
      const isWrapped = next < total && (next < history ? lines.looksWrapped(row) : source.continues(next));
      if (isWrapped) continue;
      yield new LogicalLine(first, parts);
      first = next;
      parts = [];
    }
  }
}
