// Splits a terminal's output into plain text and control sequences. It must agree with ghostty's parser about where a
// sequence ends, whatever the bytes are.
import { endOfColour, lostLines } from "./flood.ts";

export type SequenceKind = "escape" | "csi" | "osc" | "string";

export type Verdict = "pass" | "drop" | "ask" | "drop and ask";

export interface Sink {
  /** Bytes for the engine, whole characters and sequences only. */
  pass(bytes: Uint8Array): void;
  /**
   * A complete sequence with its introducer, but without a string's terminator. "pass" gives it to the engine together
   * with what is around it, "drop" leaves it out, "ask" brings the engine up to its end and then calls `ask`, and "drop
   * and ask" brings the engine up to its beginning.
   */
  sequence(kind: SequenceKind, bytes: Uint8Array): Verdict;
  ask(kind: SequenceKind, bytes: Uint8Array): void;
  bell(): void;
  /**
   * How many lines of a flood are enough for screen and history together. All of them while margins are set and on the
   * alternate screen, where lines that are gone leave marks in the engine on those that replace them.
   */
  linesKept(): number;
}

const GROUND = 0;
const ESCAPE = 1;
const ESCAPE_INTERMEDIATE = 2;
const CSI = 3;
const OSC = 4;
const STRING = 5; // DCS, APC, PM, SOS: nothing in them reaches a screen
const STATES = 6;

const KINDS: Record<number, SequenceKind> = { 1: "escape", 2: "escape", 3: "csi", 4: "osc", 5: "string" };

const BEL = 0x07;
const ESC = 0x1b;
const SGR = 0x6d;
/** A shorter run of lines is left alone. */
const FLOOD = 16_384;
/** Enough for any title or answer. Longer strings (pictures, clipboards, anything endless) are not kept. */
const LONGEST = 65_536;

/** table[state * 256 + byte] is the next state. */
const table = (() => {
  const next = new Uint8Array(STATES * 256);
  const set = (state: number, from: number, to: number, target: number) =>
    next.fill(target, state * 256 + from, state * 256 + to + 1);
  for (let state = 1; state < STATES; state++) {
    set(state, 0, 0xff, state);
    set(state, 0x18, 0x18, GROUND);
    set(state, 0x1a, 0x1a, GROUND);
    set(state, 0x80, 0x9a, GROUND);
    set(state, 0x9c, 0x9c, GROUND);
    set(state, 0x90, 0x90, STRING);
    set(state, 0x98, 0x98, STRING);
    set(state, 0x9e, 0x9f, STRING);
    set(state, 0x9b, 0x9b, CSI);
    set(state, 0x9d, 0x9d, OSC);
  }
  set(ESCAPE, 0x20, 0x2f, ESCAPE_INTERMEDIATE);
  set(ESCAPE, 0x30, 0x7e, GROUND);
  for (const byte of "PX^_") set(ESCAPE, byte.charCodeAt(0), byte.charCodeAt(0), STRING);
  set(ESCAPE, 0x5b, 0x5b, CSI);
  set(ESCAPE, 0x5d, 0x5d, OSC);
  set(ESCAPE_INTERMEDIATE, 0x30, 0x7e, GROUND);
  set(CSI, 0x40, 0x7e, GROUND);
  set(OSC, 0x80, 0xff, OSC);
  set(OSC, BEL, BEL, GROUND);
  return next;
})();

/** How many bytes at the end may be the start of a character that is not complete yet. */
function unfinishedCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

export class Scanner {
  #state = GROUND;
  /** What has arrived of the sequence or character in progress. */
  #held: Uint8Array = new Uint8Array(0);
  /** Backs `#held`. Doubles when it is full, because a sequence may come in very small pieces. */
  #memory = new Uint8Array(256);
  /** The sequence in progress is too long to keep. Only its beginning is held, until it ends. */
  #overlong = false;
  #position = 0;
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** During a call of the sink: how many of the bytes being fed have been scanned. */
  get position(): number {
    return this.#position;
  }

  /** What the engine has not been given yet, for another terminal that continues from its state. */
  unfinished(): Uint8Array {
    return this.#held;
  }

  feed(chunk: Uint8Array): void {
    let skipped = 0;
    if (this.#overlong) {
      skipped = this.#endOfSequence(chunk);
      if (skipped < 0) return;
      this.#overlong = false;
      this.#held = new Uint8Array(0);
      this.#state = GROUND;
    }
    const rest = chunk.subarray(skipped);
    const held = this.#held.length;
    if (this.#state !== GROUND && this.#endOfSequence(rest) < 0) this.#hold(rest, held);
    else
      this.#scan(held > 0 ? join(this.#held, rest) : rest, this.#state === GROUND ? 0 : held, skipped - held);
    if (this.#state === GROUND || this.#held.length <= LONGEST) return;
    this.#memory = new Uint8Array(256);
    this.#hold(this.#held.subarray(0, 2));
    this.#overlong = true;
  }

  /** A copy: the bytes belong to whoever called. */
  #hold(bytes: Uint8Array, at = 0): void {
    const length = at + bytes.length;
    if (length > this.#memory.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(this.#memory.subarray(0, at));
      this.#memory = larger;
    }
    this.#memory.set(bytes, at);
    this.#held = this.#memory.subarray(0, length);
  }

  #endOfSequence(bytes: Uint8Array): number {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0;
      if (byte === ESC) return i;
      if (table[this.#state * 256 + byte] !== this.#state) return i + 1;
    }
    return -1;
  }

  /** `shift`: added to an index in these bytes, it gives the index in what is being fed. */
  #scan(bytes: Uint8Array, from: number, shift: number): void {
    const { length } = bytes;
    let state = this.#state;
    let start = 0; // of the sequence in progress, when there is one
    let passed = 0; // everything before was passed to the engine, or dropped
    let run = 0; // of text and colours, with nothing else in between
    let i = from;
    let bell = -1; // the next one, or the end; searched only once, however many sequences there are
    const bells = (start: number, end: number) => {
      if (bell < start) bell = bytes.indexOf(BEL, start) >>> 0;
      if (bell >= end) return;
      this.#position = bell + 1 + shift;
      this.#sink.bell();
    };
    const spare = (end: number) => {
      const begin = Math.max(run, passed);
      if (end - begin < FLOOD) return;
      const lost = lostLines(bytes, begin, end, this.#sink.linesKept());
      if (lost === undefined) return;
      if (lost.start > passed) this.#sink.pass(bytes.subarray(passed, lost.start));
      for (const colour of lost.colours) this.#sink.pass(colour);
      passed = lost.end;
    };
    const finish = (end: number) => {
      const kind = KINDS[state] ?? "escape";
      if (kind !== "csi" || bytes[end - 1] !== SGR) {
        spare(start);
        run = end;
      }
      const sequence = bytes.subarray(start, end);
      this.#position = i + 1 + shift;
      const verdict = this.#sink.sequence(kind, sequence);
      if (verdict === "pass") return;
      const upTo = verdict === "ask" ? end : start;
      if (upTo > passed) this.#sink.pass(bytes.subarray(passed, upTo));
      passed = end;
      if (verdict !== "drop") this.#sink.ask(kind, sequence);
    };
    while (i < length) {
      if (state === GROUND) {
        const found = bytes.indexOf(ESC, i);
        if (found < 0) break;
        bells(i, found);
        const afterColour = endOfColour(bytes, found);
        if (afterColour > 0) {
          i = afterColour;
          continue;
        }
        start = found;
        state = ESCAPE;
        i = found + 1;
        continue;
      }
      const byte = bytes[i] ?? 0;
      if (byte === ESC) {
        finish(i);
        start = i;
        state = ESCAPE;
      } else {
        const next = table[state * 256 + byte] ?? GROUND;
        if (next === GROUND) finish(i + 1);
        state = next;
      }
      i++;
    }
    let end = start;
    if (state === GROUND) {
      bells(i, length);
      end = length - unfinishedCharacter(bytes.subarray(passed));
    }
    spare(end);
    if (end > passed) this.#sink.pass(bytes.subarray(passed, end));
    this.#hold(bytes.subarray(Math.max(end, passed)));
    this.#state = state;
  }
}
