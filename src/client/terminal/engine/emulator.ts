// The terminal behind the picture: ghostty's engine, with an instance of its own for each terminal.
import { BACKGROUND, FOREGROUND, PALETTE } from "../../../vt/colours.ts";
import { CELL_BYTES, createEngine, type Engine } from "../../../vt/engine.ts";
import { type LineSource, Lines, type Size } from "./lines.ts";
import { type OutputEvents, OutputFilter, SCROLLBACK_BYTES } from "./output-filter.ts";

/** The engine never gives memory back, and traps some time after this. */
const MEMORY_LIMIT = 67_108_864;

export interface EmulatorEvents extends OutputEvents {
  /** The engine broke. It shows nothing new until `clear`, and then needs all output again. */
  onFailure(reason: string): void;
}

export class Emulator implements LineSource {
  readonly #module: WebAssembly.Module;
  readonly #events: EmulatorEvents;
  #engine: Engine;
  #output: OutputFilter;
  #size: Size;
  #hasFailed = false;

  constructor(module: WebAssembly.Module, size: Size, events: EmulatorEvents) {
    this.#module = module;
    this.#events = events;
    this.#size = size;
    this.#engine = this.#createEngine();
    this.#output = new OutputFilter(this.#engine, this, events);
  }

  /** All of it is on the screen when this returns. */
  write(bytes: Uint8Array): void {
    this.#attempt(undefined, () => {
      this.#output.write(bytes);
      this.#engine.takeAnswer(); // the session host has answered the program already
    });
    if (this.#engine.memory().buffer.byteLength > MEMORY_LIMIT) this.#fail("it uses too much memory");
  }

  resize(size: Size): void {
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#attempt(undefined, () => {
      this.#engine.resize(size.cols, size.rows);
      this.#output.hyperlinks.reflowed(this.#engine.scrollbackLength());
    });
  }

  /** Forgets everything: a replay from the start or a snapshot follows. */
  clear(size: Size): void {
    this.#size = size;
    this.#hasFailed = false;
    this.#attempt(undefined, () => {
      this.#engine = this.#createEngine();
      this.#output = new OutputFilter(this.#engine, this, this.#events);
    });
    this.#events.onColours();
  }

  /** The engine's own size: programs can change it (DECCOLM). */
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
    return this.#output.sticky.cursorShape;
  }

  get keyboardFlags(): number {
    return this.#output.sticky.keyboard.current;
  }

  /** In the middle of an update that the program wants to be seen as a whole. */
  get isSynchronised(): boolean {
    return this.#output.sticky.synchronised;
  }

  /** A colour the program set, by its OSC: "11" or "4;12". */
  colour = (key: string) => this.#output.sticky.colour(key);

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

  continues(line: number): boolean {
    return this.#attempt(false, () => {
      const row = line - this.#engine.scrollbackLength();
      if (row > 0) return this.#engine.continues(row);
      return line > 0 && this.lines(line - 1, 2).looksWrapped(0);
    });
  }

  /** The hyperlink (OSC 8) a cell belongs to. */
  hyperlink = (line: number, col: number) =>
    this.#attempt(undefined, () => this.#output.hyperlinks.at(line, col));

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
