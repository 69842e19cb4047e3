// What of a screen is worth saying aloud: lines that were not there, few at a time, nothing in a flood
// until it is over, and not what a person is typing.

/** More than this is a flood, and of that only the end is said. */
const MOST_LINES = 5;

interface Moment {
  cursorRow: number;
  /** A key was pressed just now: the cursor's line only repeats it. */
  isEcho: boolean;
  /** Nothing has changed for a while. */
  isResting: boolean;
}

/** A clock, a gauge or a spinner that moves is the same line. */
const essence = (line: string) =>
  line
    .replace(/[^\p{L}]+/gu, " ")
    .trim()
    .toLowerCase() || line.trim();

export function createNews() {
  let known = new Set<string>();
  /** New, and not said yet. */
  let waiting: string[] = [];
  let isFlood = false;

  return {
    /** Something is kept back until it rests. */
    get isWaiting() {
      return waiting.length > 0;
    },
    /** What to say now; undefined for nothing. */
    take(rows: readonly string[], { cursorRow, isEcho, isResting }: Moment): string | undefined {
      const seen = rows.map((line, row) => ({ line: line.trim(), row, key: essence(line) }));
      const isTyped = ({ row }: { row: number }) => isEcho && row === cursorRow;
      const fresh = seen.filter((one) => one.line !== "" && !known.has(one.key) && !isTyped(one));
      // The line that is typed stays unknown: when it is left, it is said whole.
      known = new Set(seen.filter((one) => !isTyped(one)).map(({ key }) => key));
      waiting.push(...fresh.map(({ line }) => line));
      if (waiting.length > MOST_LINES) isFlood = true;
      waiting = waiting.slice(-MOST_LINES);
      if (waiting.length === 0 || (isFlood && !isResting)) return undefined;
      const said = waiting.join("\n");
      waiting = [];
      isFlood = false;
      return said;
    },
  };
}
