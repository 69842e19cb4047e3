// A headless terminal that follows a session's output: the engine, what it forgets, and the answers to queries. Runs in
// the mirror's worker, and in tests on its own.

import { BACKGROUND, FOREGROUND, PALETTE } from "../../vt/colours.ts";
import { createEngine, type Engine, type EngineOptions } from "../../vt/engine.ts";
import { mostLines } from "../../vt/flood.ts";
import { Scanner, type SequenceKind } from "../../vt/scan.ts";
import { parseCsi, parseDcs, parseEscape, parseOsc } from "../../vt/sequence.ts";
import { StickyState, type TerminalEvent } from "../../vt/sticky.ts";
import type { Screen } from "../protocol/messages.ts";
import type { Theme } from "../protocol/spec.ts";
import { isEmpty, readGrid, toText } from "./grid.ts";
import { stillPrints } from "./probe.ts";
import { type Answering, answerCsi, answerDcs, answerOsc, isQuery } from "./queries.ts";
import { type Skimmed, withoutText } from "./skim.ts";
import { snapshot } from "./snapshot.ts";

const SCROLLBACK_BYTES = 1_000_000;
const HISTORY_ROWS = 1_000;
/** OSC 133 marks prompts, which the engine uses when it clears or reflows. */
const PROMPT_MARK = 133;
const BRACKETED_PASTE = 2004;

const SCRATCH_EXCESS = 16_777_216;
const MEMORY_LIMIT = 50_331_648;

const FULL_RESET = "c";
/** A new engine assembles clusters, but not after a full reset. */
const UNLIKE_A_NEW_ONE = "\x1b[?2027l";

/** Sequences whose effect lasts after the text around them has scrolled away. */
const LASTING_CSI = new Set([..."hlmpqrsu"].map((final) => final.charCodeAt(0)));
const LASTING_ESCAPE = /^[^DEM]/;

function outlastsText(kind: SequenceKind, bytes: Uint8Array): boolean {
  if (kind === "csi") return LASTING_CSI.has(bytes[bytes.length - 1] ?? 0);
  return kind === "osc" || LASTING_ESCAPE.test(parseEscape(bytes));
}

export interface TerminalOptions {
  module: WebAssembly.Module;
  cols: number;
  rows: number;
  version: string;
  theme: Theme;
  /** `end`: where the sequence ends in the bytes being fed or skimmed. */
  tell(event: TerminalEvent, end: number): void;
  answer(text: string, end: number): void;
  /** Wraps every engine's exports. */
  guard?: EngineOptions["guard"];
}

export interface Terminal {
  feed(bytes: Uint8Array): void;
  /** Follows modes, colours and the like but leaves out text, which is much faster. */
  skim(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** The state, followed by an unfinished sequence if there is one, so that raw output can follow directly. */
  snapshot(): Uint8Array;
  screen(): Screen;
}

export function createTerminal(options: TerminalOptions): Terminal {
  const { module, guard } = options;
  let size = { cols: options.cols, rows: options.rows };
  const start = ({ cols, rows } = size) =>
    createEngine(module, {
      cols,
      rows,
      scrollback: SCROLLBACK_BYTES,
      foreground: FOREGROUND,
      background: BACKGROUND,
      palette: PALETTE,
      ...(guard && { guard }),
    });
  let engine = start();
  let scratch: Engine | undefined;
  let blank: Engine | undefined;
  let skimming: Skimmed | undefined;
  const end = () => skimming?.origin(scanner.position) ?? scanner.position;
  const tell = (event: TerminalEvent) => options.tell(event, end());
  const answer = (text: string) => options.answer(text, end());
  const sticky = new StickyState(tell);
  const answering = (): Answering => ({ engine, sticky, version: options.version, theme: options.theme });
  /** Reused until something changes, because several viewers may come at once. */
  let lastSnapshot: Uint8Array | undefined;
  let skimmed: Uint8Array[] | undefined;
  const flushSkimmed = () => {
    if (skimmed === undefined) return;
    engine.write(Buffer.concat(skimmed));
    skimmed = [];
  };

  const inspect = (kind: SequenceKind, bytes: Uint8Array): "pass" | "drop" | "ask" => {
    if (kind === "csi") {
      const final = bytes[bytes.length - 1] ?? 0;
      // The most common ones (SGR, cursor, erase) don't matter here.
      if (final !== 0x6d && (final < 0x63 || final === 0x64)) return "pass";
      if (final === 0x6d && bytes[2] !== 0x3e) return "pass";
      const csi = parseCsi(bytes);
      if (csi === undefined) return "pass";
      sticky.csi(csi);
      return isQuery(csi) ? "ask" : "pass";
    }
    if (kind === "osc") {
      const osc = parseOsc(bytes);
      if (osc === undefined) return "drop";
      sticky.osc(osc);
      const reply = answerOsc(answering(), osc);
      if (reply !== "") answer(reply);
      // Hyperlinks can hang the engine, and it ignores all others.
      return osc.number === PROMPT_MARK ? "pass" : "drop";
    }
    if (kind === "string") {
      const reply = answerDcs(answering(), parseDcs(bytes) ?? "");
      if (reply !== "") answer(reply);
      return "drop";
    }
    const sequence = parseEscape(bytes);
    sticky.escape(sequence);
    return sequence === FULL_RESET ? "ask" : "pass";
  };

  /**
   * After its own full reset, the engine may use a screen that it has freed, and trap. So it starts from a blank copy.
   */
  const startOver = () => {
    const now = engine.size();
    const was = blank?.size();
    if (blank === undefined || was?.cols !== now.cols || was.rows !== now.rows) blank = start(now);
    engine.copyFrom(blank);
    engine.write(Buffer.from(UNLIKE_A_NEW_ONE));
  };

  const scanner = new Scanner({
    pass(bytes) {
      if (skimmed === undefined) engine.write(bytes);
    },
    sequence(kind, bytes) {
      const verdict = inspect(kind, bytes);
      if (skimmed !== undefined && verdict !== "drop" && outlastsText(kind, bytes))
        skimmed.push(bytes.slice());
      return verdict;
    },
    ask(kind, bytes) {
      flushSkimmed();
      if (kind === "escape") {
        startOver();
        return;
      }
      const csi = parseCsi(bytes);
      if (csi !== undefined) answer(answerCsi(answering(), csi));
    },
    bell: () => tell({ type: "bell" }),
    linesKept() {
      const now = engine.size();
      const isPlain = sticky.isPlain(now.rows) && !engine.isAlternate();
      return isPlain ? mostLines(SCROLLBACK_BYTES, now) : Number.POSITIVE_INFINITY;
    },
  });

  /** The engine never frees memory, which clusters and styles fill, so this moves to a fresh one. */
  const shrink = () => {
    if (engine.memory().buffer.byteLength < MEMORY_LIMIT) return;
    const state = snapshot(engine, start(), sticky, size, HISTORY_ROWS);
    scratch = undefined;
    engine = start();
    engine.write(Buffer.from(state));
  };

  /** An engine for copies. Copies grow more than the original, and never shrink. */
  const spare = () => {
    const excess = (scratch?.memory().buffer.byteLength ?? 0) - engine.memory().buffer.byteLength;
    if (scratch === undefined || excess > SCRATCH_EXCESS) scratch = start();
    return scratch;
  };

  return {
    feed(bytes) {
      lastSnapshot = undefined;
      scanner.feed(bytes);
      shrink();
    },
    skim(bytes) {
      lastSnapshot = undefined;
      skimmed = [];
      skimming = withoutText(bytes, scanner.unfinished().length > 0);
      scanner.feed(skimming.bytes);
      skimming = undefined;
      flushSkimmed();
      skimmed = undefined;
    },
    resize(cols, rows) {
      lastSnapshot = undefined;
      size = { cols, rows };
      engine.resize(cols, rows);
    },
    snapshot() {
      if (lastSnapshot !== undefined) return lastSnapshot;
      const copy = spare();
      copy.copyFrom(engine);
      if (!stillPrints(copy)) throw new Error("the engine prints nothing any more");
      const state = snapshot(engine, copy, sticky, size, HISTORY_ROWS);
      lastSnapshot = Buffer.concat([Buffer.from(state), scanner.unfinished()]);
      return lastSnapshot;
    },
    screen() {
      const grid = readGrid(engine);
      // An empty screen may mean that the engine is broken, which is cheap to check.
      if (isEmpty(grid)) {
        spare().copyFrom(engine);
        if (!stillPrints(spare())) throw new Error("the engine prints nothing any more");
      }
      return {
        text: toText(grid),
        ...size,
        cursor: engine.cursor(),
        alternate: engine.isAlternate(),
        bracketedPaste: engine.mode(BRACKETED_PASTE),
        title: sticky.title,
        cwd: sticky.cwd,
      };
    },
  };
}
