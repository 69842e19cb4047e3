// Remembers what a program told the terminal apart from the screen: title, directory, colours, cursor shape, keyboard
// protocol. The engine forgets or hides these.
import { KeyboardFlags } from "./keyboard-flags.ts";
import { ALTERNATE_SCREEN_MODES } from "./modes.ts";
import { PROGRAM_STATUS, type ProgramChange, parseProgramStatus } from "./program-status.ts";
import type { Csi, Osc } from "./sequence.ts";

/** What a program tells its terminal besides what it prints. */
export type TerminalEvent =
  | { type: "title"; title: string }
  | { type: "cwd"; cwd: string }
  | { type: "bell" }
  | { type: "notification"; title: string; body: string }
  | { type: "progress"; state: "none" | "normal" | "error" | "indeterminate" | "paused"; percent: number }
  | { type: "program"; change: ProgramChange };

const PROGRESS = ["none", "normal", "error", "indeterminate", "paused"] as const;
const TEXT_LIMIT = 1_024;
const COLOUR_LIMIT = 300;
/** Colours in X11 notation, by name or number. Nothing else is kept, because it is repeated later. */
const COLOUR = /^#?[\w:/. +-]{1,64}$/;
const COLOUR_KEY = /^(4;\d{1,3}|1\d)$/;

const UNUSED = { alternate: false, protection: false, prompts: false, singleShifts: false };

/** The cut may fall between the halves of a character, so the text is repaired. */
const clip = (text: string) => text.slice(0, TEXT_LIMIT).toWellFormed();

/** `file://host/path` as OSC 7 has it, or a bare path. */
function directory(data: string): string | undefined {
  const path = data.replace(/^file:\/\/[^/]*/, "");
  if (!path.startsWith("/")) return undefined;
  try {
    return clip(decodeURIComponent(path));
  } catch {
    return clip(path); // not percent-encoded after all
  }
}

export class StickyState {
  title = "";
  cwd = "";
  synchronised = false;
  /** Rare features, which a snapshot probes only once they have been used. */
  readonly used = { ...UNUSED };
  #alternate = false;
  #cursorShape = 0;
  #modifyOtherKeys = "";
  /** As requested; a bottom of 0 means the last row. */
  #margins = { top: 0, bottom: 0, sides: false };
  readonly #keyboards = { primary: new KeyboardFlags(), alternate: new KeyboardFlags() };
  /** Colours the program set, by the OSC that set them: "11" or "4;12". */
  readonly #colours = new Map<string, string>();
  readonly #tell: (event: TerminalEvent) => void;

  constructor(tell: (event: TerminalEvent) => void) {
    this.#tell = tell;
  }

  get keyboard(): KeyboardFlags {
    return this.#keyboards[this.#alternate ? "alternate" : "primary"];
  }

  get cursorShape(): number {
    return this.#cursorShape;
  }

  /** Whether the primary screen, with this many rows, scrolls as a whole and into the history. If in doubt, no. */
  isPlain(rows: number): boolean {
    const { top, bottom, sides } = this.#margins;
    return !this.#alternate && !sides && top <= 1 && (bottom === 0 || bottom >= rows);
  }

  colour(key: string): string | undefined {
    return this.#colours.get(key);
  }

  csi({ prefix, params, intermediates, final }: Csi): void {
    const [first = 0, second = 0] = params;
    if (final === "u" && intermediates === "") {
      if (prefix === ">") this.keyboard.push(first);
      if (prefix === "<") this.keyboard.pop(first);
      if (prefix === "=") this.keyboard.set(first, second || 1);
    } else if (final === "q" && intermediates === " ") {
      this.#cursorShape = first;
    } else if (final === "q" && intermediates === '"') {
      this.used.protection = true;
    } else if (final === "r" && prefix === "" && intermediates === "") {
      this.#margins.top = first;
      this.#margins.bottom = second;
    } else if (final === "s" && params.length > 0) {
      this.#margins.sides = true;
    } else if (final === "m" && prefix === ">") {
      this.#modifyOtherKeys = params.length > 0 ? `\x1b[>${params.join(";")}m` : "";
    } else if (prefix === "?" && (final === "h" || final === "l")) {
      if (params.includes(2026)) this.synchronised = final === "h";
      if (params.some((mode) => ALTERNATE_SCREEN_MODES.includes(mode))) {
        this.#alternate = final === "h";
        this.used.alternate = true;
      }
    }
  }

  #reset(): void {
    this.#alternate = false;
    this.#cursorShape = 0;
    this.#modifyOtherKeys = "";
    this.#margins = { top: 0, bottom: 0, sides: false };
    this.synchronised = false;
    Object.assign(this.used, UNUSED);
    this.#keyboards.primary = new KeyboardFlags();
    this.#keyboards.alternate = new KeyboardFlags();
    this.#colours.clear();
    this.#tell({ type: "program", change: { state: "clear", id: "" } });
  }

  escape(sequence: string): void {
    if (sequence === "c") this.#reset();
    if (sequence === "V") this.used.protection = true;
    if (sequence === "N" || sequence === "O") this.used.singleShifts = true;
  }

  osc({ number, data }: Osc): void {
    if (number === 133) this.#prompt(data);
    if (number === 0 || number === 2) {
      this.title = clip(data);
      this.#tell({ type: "title", title: this.title });
    } else if (number === 7) {
      const cwd = directory(data);
      if (cwd === undefined) return;
      this.cwd = cwd;
      this.#tell({ type: "cwd", cwd });
    } else if (number === 9) {
      this.#ninth(data);
    } else if (number === 777) {
      const [kind, title = "", ...body] = data.split(";");
      if (kind === "notify")
        this.#tell({ type: "notification", title: clip(title), body: clip(body.join(";")) });
    } else if (number === 99) {
      const body = data.slice(data.indexOf(";") + 1);
      if (body !== "") this.#tell({ type: "notification", title: clip(body), body: "" });
    } else if (number === PROGRAM_STATUS) {
      const change = parseProgramStatus(data);
      if (change !== undefined) this.#tell({ type: "program", change });
    } else {
      this.#colourOrReset(number, data);
    }
  }

  #prompt(data: string): void {
    this.used.prompts = true;
    if (data.startsWith("A")) this.#tell({ type: "program", change: { state: "over", id: "" } });
  }

  /** OSC 9 is iTerm's notification, unless it starts like ConEmu's progress. */
  #ninth(data: string): void {
    const progress = /^4;([0-4])(?:;(\d{1,3}))?/.exec(data);
    if (progress === null) {
      if (!/^\d+(;|$)/.test(data)) this.#tell({ type: "notification", title: clip(data), body: "" });
      return;
    }
    const state = PROGRESS[Number(progress[1])] ?? "none";
    this.#tell({ type: "progress", state, percent: Math.min(Number(progress[2] ?? 0), 100) });
  }

  #colourOrReset(number: number, data: string): void {
    if (number === 4) {
      const parts = data.split(";");
      for (let i = 0; i + 1 < parts.length; i += 2) this.#remember(`4;${parts[i]}`, parts[i + 1] ?? "");
    } else if (number >= 10 && number <= 19) {
      for (const [i, value] of data.split(";").entries()) this.#remember(String(number + i), value);
    } else if (number === 104) {
      const indices = data === "" ? undefined : data.split(";");
      for (const key of [...this.#colours.keys()]) {
        if (key.startsWith("4;") && (indices?.includes(key.slice(2)) ?? true)) this.#colours.delete(key);
      }
    } else if (number >= 110 && number <= 119) {
      this.#colours.delete(String(number - 100));
    }
  }

  #remember(key: string, value: string): void {
    if (!COLOUR_KEY.test(key) || !COLOUR.test(value) || this.#colours.size >= COLOUR_LIMIT) return;
    this.#colours.set(key, value);
  }

  /** For a snapshot; "both" is what belongs to neither screen. */
  replay(screen: "primary" | "alternate" | "both"): string {
    if (screen !== "both") return this.#keyboards[screen].replay();
    let out = [...this.#colours].map(([key, value]) => `\x1b]${key};${value}\x1b\\`).join("");
    if (this.title !== "") out += `\x1b]2;${this.title}\x1b\\`;
    if (this.cwd !== "") out += `\x1b]7;file://${encodeURI(this.cwd)}\x1b\\`;
    if (this.#cursorShape !== 0) out += `\x1b[${this.#cursorShape} q`;
    return out + this.#modifyOtherKeys;
  }
}
