// A flood is faster than anyone can read. From a long run of lines, this leaves out those that would scroll out of the
// engine's history by the end of the run. Screen, history and state end up the same, with much less work.

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
 * More lines than an engine with this many bytes of history ever keeps, including its screen. A cell takes 8 bytes, and
 * at most three quarters of a page are cells, whatever the width. The engine also keeps a page or two more than the
 * screen needs, however few bytes it is given.
 */
export const mostLines = (scrollback: number, { cols, rows }: { cols: number; rows: number }) =>
  Math.ceil(scrollback / (10 * cols)) + 3 * rows;

interface Cut {
  start: number;
  end: number;
  /** The colours in effect where it ends. */
  colours: Uint8Array[];
}

/**
 * What may be left out of a run of text, line ends and colours so that its last `kept` lines remain. Only valid while
 * the whole screen scrolls: with margins, what is outside of them would stay.
 */
export function lostLines(bytes: Uint8Array, from: number, to: number, kept: number): Cut | undefined {
  const end = startOfLast(bytes, from, to, kept);
  if (end <= from) return undefined;
  let start = from;
  let inForce = from; // no earlier colours matter
  for (let i = from; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte >= 0x20 ? byte !== DELETE : byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB)
      continue;
    const after = byte === ESC ? endOfColour(bytes, i) : -1;
    if (after > 0) {
      if (isReset(bytes, i + 2)) inForce = i;
      i = after - 1;
    } else if (byte === ESC) return undefined;
    else {
      // A control character, such as a backspace, has to be executed.
      start = i + 1;
      inForce = start;
    }
  }
  return start < end ? { start, end, colours: coloursOf(bytes, inForce, end) } : undefined;
}

function coloursOf(bytes: Uint8Array, from: number, to: number): Uint8Array[] {
  const colours: Uint8Array[] = [];
  for (let i = bytes.indexOf(ESC, from); i >= 0 && i < to; ) {
    const after = endOfColour(bytes, i);
    colours.push(bytes.subarray(i, after));
    i = bytes.indexOf(ESC, after);
  }
  return colours;
}

/**
 * Where the last `lines` lines begin: at the end of the line before them; `from` if there are fewer. That line must end
 * with a carriage return, so that the next one begins in the first column wherever the cursor is.
 */
function startOfLast(bytes: Uint8Array, from: number, to: number, lines: number): number {
  let left = lines;
  for (let i = to - 1; i > from; i--) {
    if (bytes[i] === LINE_FEED && left-- <= 0 && bytes[i - 1] === CARRIAGE_RETURN) return i - 1;
  }
  return from;
}

/** The index after the sequence if it only sets colours, otherwise -1. */
export function endOfColour(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== BRACKET) return -1;
  let i = at + 2;
  while ((bytes[i] ?? 0) >= ZERO && (bytes[i] ?? 0) <= SEMICOLON) i++;
  return bytes[i] === SGR ? i + 1 : -1;
}

/** `m`, `0m` or `0;…m`: earlier colours no longer matter. */
function isReset(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at];
  const second = bytes[at + 1];
  return first === SGR || (first === ZERO && (second === SGR || second === SEMICOLON));
}
