// A flood is faster than anyone reads. Of a long run of lines the engine is spared those that would have
// scrolled out of its history again by the end of the run: what is left on the screen, in the history and in
// force is the same, and most of the work is not done.

const ESC = 0x1b;
const BRACKET = 0x5b;
const SGR = 0x6d;
const ZERO = 0x30;
const SEMICOLON = 0x3b;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const DELETE = 0x7f;

/**
 * More lines than an engine with so many bytes of history ever holds, its screen included. A cell is 8 bytes and
 * a page of them has other things in it: at most three quarters are cells, whatever the width; and it holds
 * on to a page or two more than the screen needs, however few bytes it is given.
 */
export const mostLines = (scrollback: number, { cols, rows }: { cols: number; rows: number }) =>
  Math.ceil(scrollback / (10 * cols)) + 3 * rows;

interface Cut {
  start: number;
  end: number;
  /** The colours that were in force where it ends. */
  colours: Uint8Array[];
}

/**
 * What may be left out of a run of text, line ends and colours so that its last `kept` lines remain. Good only while
 * the whole screen scrolls: with margins set, what is outside of them would stay.
 */
export function lostLines(bytes: Uint8Array, from: number, to: number, kept: number): Cut | undefined {
  const end = startOfLast(bytes, from, to, kept);
  if (end <= from) return undefined;
  let start = from;
  let colours: Uint8Array[] = [];
  for (let i = from; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte >= 0x20 ? byte !== DELETE : byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB)
      continue;
    const after = byte === ESC ? endOfColour(bytes, i) : -1;
    if (after > 0) {
      if (isReset(bytes, i + 2)) colours = [];
      colours.push(bytes.subarray(i, after));
      i = after - 1;
    } else if (byte === ESC) return undefined;
    else {
      // Whatever it does (a backspace, another character set), it is done.
      start = i + 1;
      colours = [];
    }
  }
  return start < end ? { start, end, colours } : undefined;
}

/**
 * At the end of the line before the last so many; `from` if there are not so many. It must be one that goes back to the
 * first column, which is where the next begins, wherever the cursor is.
 */
function startOfLast(bytes: Uint8Array, from: number, to: number, lines: number): number {
  let left = lines;
  for (let i = to - 1; i > from; i--) {
    if (bytes[i] === LINE_FEED && left-- <= 0 && bytes[i - 1] === CARRIAGE_RETURN) return i - 1;
  }
  return from;
}

/** After the sequence, if it is one about colours with nothing else in it; else -1. */
function endOfColour(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== BRACKET) return -1;
  let i = at + 2;
  while ((bytes[i] ?? 0) >= ZERO && (bytes[i] ?? 0) <= SEMICOLON) i++;
  return bytes[i] === SGR ? i + 1 : -1;
}

/** `m`, `0m` or `0;…m`: nothing said before counts any more. */
function isReset(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at];
  const second = bytes[at + 1];
  return first === SGR || (first === ZERO && (second === SGR || second === SEMICOLON));
}
