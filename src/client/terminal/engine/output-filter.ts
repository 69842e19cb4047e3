// Passes a program's output to the engine, without what is known to break it, and remembers what the engine hides or
// doesn't get: colours, cursor shape, keyboard flags, hyperlinks.
import type { Engine } from "../../../vt/engine.ts";
import { mostLines } from "../../../vt/flood.ts";
import { Scanner, type SequenceKind, type Verdict } from "../../../vt/scan.ts";
import { parseCsi, parseEscape, parseOsc } from "../../../vt/sequence.ts";
import { StickyState } from "../../../vt/sticky.ts";
import { Hyperlinks } from "./hyperlinks.ts";
import type { LineSource } from "./lines.ts";

/** In bytes, as the engine counts: some 9,000 lines of 80 columns. */
export const SCROLLBACK_BYTES = 10_000_000;
const HYPERLINK = 8;
/** The only string the engine uses. The host's mirror passes it on as well. */
const PROMPT_MARK = 133;
const SGR = "m".charCodeAt(0);

export interface OutputEvents {
  onTitle(title: string): void;
  onBell(): void;
  /** The program set or reset a colour. */
  onColours(): void;
}

export class OutputFilter {
  readonly sticky: StickyState;
  readonly #engine: Engine;
  readonly #events: OutputEvents;
  readonly #scanner: Scanner;
  readonly #hyperlinks: { primary: Hyperlinks; alternate: Hyperlinks };
  /** What was printed since the last hyperlink sequence. Only a single piece is of use, so two are enough to know. */
  #printed: Uint8Array[] = [];

  constructor(engine: Engine, source: LineSource, events: OutputEvents) {
    this.#engine = engine;
    this.#events = events;
    this.#hyperlinks = { primary: new Hyperlinks(source), alternate: new Hyperlinks(source) };
    this.sticky = new StickyState((event) => {
      if (event.type === "title") events.onTitle(event.title);
    });
    this.#scanner = new Scanner({
      pass: (bytes) => {
        engine.write(bytes);
        if (this.hyperlinks.isOpen && this.#printed.length < 2) this.#printed.push(bytes.slice());
      },
      sequence: (kind, bytes) => this.#inspect(kind, bytes),
      ask: (_kind, bytes) => this.#hyperlink(parseOsc(bytes)?.data ?? ""),
      bell: () => events.onBell(),
      linesKept: () => this.#linesKept(),
    });
  }

  /** Each screen has its own. */
  get hyperlinks(): Hyperlinks {
    return this.#hyperlinks[this.#engine.isAlternate() ? "alternate" : "primary"];
  }

  write(bytes: Uint8Array): void {
    this.hyperlinks.addBudget(bytes.length);
    this.#scanner.feed(bytes);
    this.hyperlinks.historyChanged(this.#engine.scrollbackLength());
  }

  #linesKept(): number {
    const size = this.#engine.size();
    const isPlain = this.sticky.isPlain(size.rows) && !this.#engine.isAlternate();
    return isPlain ? mostLines(SCROLLBACK_BYTES, size) : Number.POSITIVE_INFINITY;
  }

  #inspect(kind: SequenceKind, bytes: Uint8Array): Verdict {
    if (kind === "csi") {
      // SGR is by far the most common sequence, and only the form that is about the keyboard matters here.
      if (bytes[bytes.length - 1] === SGR && bytes[2] !== 0x3e) return "pass";
      const csi = parseCsi(bytes);
      if (csi !== undefined) this.sticky.csi(csi);
      return "pass";
    }
    if (kind === "escape") {
      const sequence = parseEscape(bytes);
      this.sticky.escape(sequence);
      if (sequence === "c") this.#events.onColours();
      return "pass";
    }
    const osc = kind === "osc" ? parseOsc(bytes) : undefined;
    if (osc === undefined) return "drop";
    if (osc.number === HYPERLINK) return "drop and ask";
    this.sticky.osc(osc);
    if (osc.number === 4 || osc.number === 104 || Math.abs((osc.number % 100) - 11) <= 1)
      this.#events.onColours();
    return osc.number === PROMPT_MARK ? "pass" : "drop";
  }

  #hyperlink(data: string): void {
    const address = data.slice(data.indexOf(";") + 1);
    const { x, y } = this.#engine.cursor();
    const history = this.#engine.scrollbackLength();
    this.hyperlinks.historyChanged(history);
    const printed = this.#printed.length === 1 ? this.#printed[0] : undefined;
    this.#printed = [];
    this.hyperlinks.change(address, { line: history + y, col: x }, printed);
  }
}
