// Which lines of a screen to read aloud: new ones, a few at a time; of a flood only the last ones, once it is over; and
// not what the person is typing.

/** More new lines than this are a flood. */
const MOST_LINES = 5;

interface Moment {
  cursorRow: number;
  /** A key was just pressed, so the cursor's line only repeats it. */
  isEcho: boolean;
  /** Nothing has changed for a while. */
  isResting: boolean;
}

/** A line is not new if only a clock, a counter or a spinner changed in it. */
const keyOf = (line: string) =>
  line
    .replace(/[^\p{L}]+/gu, " ")
    .trim()
    .toLowerCase() || line.trim();

export function createNewLines() {
  let known = new Set<string>();
  let waiting: string[] = [];
  let isFlood = false;

  return {
    /** There is more to read once the screen rests. */
    get isWaiting() {
      return waiting.length > 0;
    },
    /** What to read now, if anything. */
    take(rows: readonly string[], { cursorRow, isEcho, isResting }: Moment): string | undefined {
      const seen = rows.map((line, row) => ({ line: line.trim(), row, key: keyOf(line) }));
      const isTyped = ({ row }: { row: number }) => isEcho && row === cursorRow;
      const fresh = seen.filter((one) => one.line !== "" && !known.has(one.key) && !isTyped(one));
      // The line being typed stays unknown, so that all of it is read once it is complete.
      known = new Set(seen.filter((one) => !isTyped(one)).map(({ key }) => key));
      waiting.push(...fresh.map(({ line }) => line));
      if (waiting.length > MOST_LINES) isFlood = true;
      waiting = waiting.slice(-MOST_LINES);
      if (waiting.length === 0 || (isFlood && !isResting)) return undefined;
      const text = waiting.join("\n");
      waiting = [];
      isFlood = false;
      return text;
    },
  };
}
