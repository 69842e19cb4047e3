// The terminal behind the picture: ghostty's engine, in an instance of its own for each terminal, fed with
// everything but what is known to break it.
import { BACKGROUND, FOREGROUND, PALETTE } from "../../../vt/colours.ts";
import { CELL_BYTES, createEngine, type Engine } from "../../../vt/engine.ts";
import { mostLines } from "../../../vt/flood.ts";
import { Scanner, type SequenceKind, type Verdict } from "../../../vt/scan.ts";
import { parseCsi, parseEscape, parseOsc } from "../../../vt/sequence.ts";
import { StickyState } from "../../../vt/sticky.ts";
import { LinkTracker } from "../links-and-find/link-tracker.ts";
import type { EngineModule } from "./engine-module.ts";
import { Lines } from "./lines.ts";

/** Bytes, as the engine counts them: some 9,000 lines of 80 columns. */
const SCROLLBACK_BYTES = 10_000_000;
/** The engine never gives memory back, and traps some time after this; better to start afresh. */
const MEMORY_LIMIT = 67_108_864;
const HYPERLINK = 8;
/** Prompt marks: the one string the engine makes use of. The host's mirror gives it the same. */
const PROMPT_MARK = 133;
const SGR = "m".charCodeAt(0);

export interface Size {
  cols: number;
  rows: number;
}

export interface EmulatorEvents {
  onTitle(title: string): void;
  onBell(): void;
  /** The program chose other colours. */
  onColours(): void;
  /** The engine failed and was thrown away: what it showed is gone, and must be brought again. */
  onFailure(reason: string): void;
}

export class Emulator {
  readonly #module: EngineModule;
  readonly #events: EmulatorEvents;
  #engine: Engine;
  #sticky: StickyState;
  #scanner: Scanner;
  readonly #links: { primary: LinkTracker; alternate: LinkTracker };
  #size: Size;
  /** Since a hyperlink began; of use only while it is one piece, so two are enough to know. */
  #printed: Uint8Array[] = [];
  #hasFailed = false;

  constructor(module: EngineModule, size: Size, events: EmulatorEvents) {
    this.#module = module;
    this.#events = events;
    this.#size = size;
    this.#sticky = this.#createSticky();
    this.#engine = this.#createEngine();
    this.#scanner = this.#createScanner();
    this.#links = { primary: new LinkTracker(this), alternate: new LinkTracker(this) };
  }

  /** Everything up to here is on the screen when this returns. */
  write(bytes: Uint8Array): void {
    this.#attempt(undefined, () => {
      this.#tracker().earn(bytes.length);
      this.#scanner.feed(bytes);
      this.#tracker().settle(this.#engine.scrollbackLength());
      // Whatever it answers to the program's questions, the session host has answered already.
      this.#engine.takeAnswer();
    });
    if (this.#engine.memory().buffer.byteLength > MEMORY_LIMIT) this.#fail("it uses too much memory");
  }

  resize(size: Size): void {
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#attempt(undefined, () => {
      this.#engine.resize(size.cols, size.rows);
      this.#tracker().reflowed(this.#engine.scrollbackLength());
    });
  }

  /** Forgets everything, as for a replay from the start or a snapshot. */
  clear(size: Size): void {
    this.#size = size;
    this.#hasFailed = false;
    this.#attempt(undefined, () => {
      this.#sticky = this.#createSticky();
      this.#engine = this.#createEngine();
      this.#scanner = this.#createScanner();
      this.#forgetLinks();
    });
    this.#events.onColours();
  }

  /** As the engine has it: a program can make it differ from what the terminal was given (DECCOLM). */
  size = (): Size => this.#attempt(this.#size, () => this.#engine.size());
  cursor = () => this.#attempt({ x: 0, y: 0 }, () => this.#engine.cursor());
  isCursorVisible = () => this.#attempt(false, () => this.#engine.isCursorVisible());
  isAlternate = () => this.#attempt(false, () => this.#engine.isAlternate());
  mode = (number: number) => this.#attempt(false, () => this.#engine.mode(number));
  historyLength = () => this.#attempt(0, () => this.#engine.scrollbackLength());
  isDirty = () => this.#attempt(false, () => this.#engine.isDirty());
  isRowDirty = (row: number) => this.#attempt(true, () => this.#engine.isRowDirty(row));
  markClean = () => this.#attempt(undefined, () => this.#engine.markClean());

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  get cursorShape(): number {
    return this.#sticky.cursorShape;
  }

  get keyboardFlags(): number {
    return this.#sticky.keyboard.current;
  }

  /** In the middle of an update that the program wants to be seen as a whole. */
  get isSynchronised(): boolean {
    return this.#sticky.synchronised;
  }

  /** A colour the program set, by its OSC: "11" or "4;12". */
  colour = (key: string) => this.#sticky.colour(key);

  /** Rows by number, the oldest line of the history being 0 and the screen coming after it. */
  lines(first: number, count: number): Lines {
    const { cols, rows } = this.size();
    const none = new Lines(first, 0, cols, new Uint8Array(0), () => []);
    return this.#attempt(none, () => {
      const history = this.#engine.scrollbackLength();
      const from = Math.max(0, Math.min(first, history + rows));
      const upTo = Math.min(from + count, history + rows);
      const old = Math.max(0, Math.min(upTo, history) - from);
      const cells = new Uint8Array((upTo - from) * cols * CELL_BYTES);
      if (old > 0) cells.set(this.#engine.history(from, old));
      if (upTo > history && upTo > from) {
        const top = Math.max(0, from - history) * cols * CELL_BYTES;
        const bottom = (upTo - history) * cols * CELL_BYTES;
        cells.set(this.#engine.cells().subarray(top, bottom), old * cols * CELL_BYTES);
      }
      return new Lines(from, upTo - from, cols, cells, (row, col) => this.#cluster(from + row, col));
    });
  }

  /** Does this row continue the one before it? Of the history that can only be guessed. */
  continues(line: number): boolean {
    return this.#attempt(false, () => {
      const row = line - this.#engine.scrollbackLength();
      if (row > 0) return this.#engine.continues(row);
      return line > 0 && this.lines(line - 1, 2).goesOn(0);
    });
  }

  /** The hyperlink (OSC 8) a cell belongs to. */
  hyperlink = (line: number, col: number) => this.#attempt(undefined, () => this.#tracker().at(line, col));

  /** The screen as text, one line per row, no trailing blanks. */
  text(): string {
    const { rows } = this.size();
    const lines = this.lines(this.historyLength(), rows);
    return Array.from({ length: lines.count }, (_, row) => lines.text(row).trimEnd()).join("\n");
  }

  #cluster(line: number, col: number): number[] {
    const history = this.#engine.scrollbackLength();
    return line < history
      ? this.#engine.historyGrapheme(line, col)
      : this.#engine.grapheme(line - history, col);
  }

  #createEngine(): Engine {
    return createEngine(this.#module, {
      ...this.#size,
      scrollback: SCROLLBACK_BYTES,
      foreground: FOREGROUND,
      background: BACKGROUND,
      palette: PALETTE,
    });
  }

  #createSticky(): StickyState {
    return new StickyState((event) => {
      if (event.type === "title") this.#events.onTitle(event.title);
    });
  }

  #createScanner(): Scanner {
    return new Scanner({
      pass: (bytes) => {
        this.#engine.write(bytes);
        if (this.#tracker().isOpen && this.#printed.length < 2) this.#printed.push(bytes.slice());
      },
      sequence: (kind, bytes) => this.#inspect(kind, bytes),
      ask: (_kind, bytes) => this.#hyperlink(parseOsc(bytes)?.data ?? ""),
      bell: () => this.#events.onBell(),
      linesKept: () => this.#linesKept(),
    });
  }

  #linesKept(): number {
    const size = this.#engine.size();
    const isPlain = this.#sticky.isPlain(size.rows) && !this.#engine.isAlternate();
    return isPlain ? mostLines(SCROLLBACK_BYTES, size) : Number.POSITIVE_INFINITY;
  }

  #inspect(kind: SequenceKind, bytes: Uint8Array): Verdict {
    if (kind === "csi") {
      // By far the commonest, and nothing to remember, unless it is about the keyboard.
      if (bytes[bytes.length - 1] === SGR && bytes[2] !== 0x3e) return "pass";
      const csi = parseCsi(bytes);
      if (csi !== undefined) this.#sticky.csi(csi);
      return "pass";
    }
    if (kind === "escape") {
      const sequence = parseEscape(bytes);
      this.#sticky.escape(sequence);
      if (sequence === "c") this.#events.onColours();
      return "pass";
    }
    const osc = kind === "osc" ? parseOsc(bytes) : undefined;
    if (osc === undefined) return "drop";
    if (osc.number === HYPERLINK) return "drop and ask";
    this.#sticky.osc(osc);
    if (osc.number === 4 || osc.number === 104 || Math.abs((osc.number % 100) - 11) <= 1)
      this.#events.onColours();
    return osc.number === PROMPT_MARK ? "pass" : "drop";
  }

  #hyperlink(data: string): void {
    const address = data.slice(data.indexOf(";") + 1);
    const { x, y } = this.#engine.cursor();
    const history = this.#engine.scrollbackLength();
    this.#tracker().settle(history);
    const printed = this.#printed.length === 1 ? this.#printed[0] : undefined;
    this.#printed = [];
    this.#tracker().change(address, { line: history + y, col: x }, printed);
  }

  #tracker(): LinkTracker {
    return this.#links[this.#engine.isAlternate() ? "alternate" : "primary"];
  }

  #forgetLinks(): void {
    this.#links.primary.clear();
    this.#links.alternate.clear();
  }

  #attempt<T>(otherwise: T, act: () => T): T {
    if (this.#hasFailed) return otherwise;
    try {
      return act();
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
      return otherwise;
    }
  }

  #fail(reason: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#events.onFailure(reason);
  }
}
