// Answers programs' queries to their terminal. Only the mirror answers, however many people are watching.

import type { Engine } from "../../vt/engine.ts";
import { isKnownMode, NEVER_REPLAYED } from "../../vt/modes.ts";
import { isStatusQuery, PROGRAM_STATUS } from "../../vt/program-status.ts";
import type { Csi, Osc } from "../../vt/sequence.ts";
import type { StickyState } from "../../vt/sticky.ts";
import type { Theme } from "../protocol/spec.ts";

/** Whether this sequence is answered from the engine's state. */
export function isQuery({ prefix, intermediates, final, params: [first = 0] }: Csi): boolean {
  if (final === "c") return intermediates === "" && first === 0 && prefix !== "?" && prefix !== "<";
  if (final === "n")
    return prefix === "" ? first === 5 || first === 6 : prefix === "?" && (first === 6 || first === 996);
  if (final === "p") return intermediates === "$" && (prefix === "" || prefix === "?");
  if (final === "q") return prefix === ">" && intermediates === "" && first === 0;
  if (final === "u") return prefix === "?";
  return final === "t" && prefix === "" && first === 18;
}

export interface Answering {
  engine: Engine;
  sticky: StickyState;
  version: string;
  theme: Theme;
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function reportMode({ engine, sticky }: Answering, { prefix, params: [mode = 0] }: Csi): string {
  const ansi = prefix === "";
  const set = mode === NEVER_REPLAYED && !ansi ? sticky.synchronised : engine.mode(mode, ansi);
  const state = isKnownMode(mode, ansi) ? (set ? 1 : 2) : 0;
  return `\x1b[${prefix}${mode};${state}$y`;
}

export function answerCsi(on: Answering, csi: Csi): string {
  const { prefix, final, params } = csi;
  // The engine answers plain status reports itself, because it knows origin mode and margins.
  const own = decode(on.engine.takeAnswer());
  if (final === "n" && prefix === "") return own;
  if (final === "n" && params[0] === 996) return "\x1b[?997;1n";
  if (final === "n") {
    const { x, y } = on.engine.cursor();
    return `\x1b[?${y + 1};${x + 1};1R`;
  }
  if (final === "c" && prefix === ">") return "\x1b[>1;10;0c";
  if (final === "c" && prefix === "=") return "\x1bP!|00000000\x1b\\";
  if (final === "c") return "\x1b[?62;22c";
  if (final === "p") return reportMode(on, csi);
  if (final === "q") return `\x1bP>|banto ${on.version}\x1b\\`;
  if (final === "u") return `\x1b[?${on.sticky.keyboard.current}u`;
  const { cols, rows } = on.engine.size();
  return `\x1b[8;${rows};${cols}t`;
}

/** Only numbers are sent to the program: its own text must never come back as commands. */
const FIGURES = /^(rgba?:[\da-f/]+|#[\da-f]+)$/i;
const figures = (colour: string | undefined) =>
  colour !== undefined && FIGURES.test(colour) ? colour : undefined;

export function answerOsc({ sticky, theme }: Answering, { number, data, terminator }: Osc): string {
  const reply = (key: string, value: string) => `\x1b]${key};${value}${terminator}`;
  if (number === PROGRAM_STATUS) return isStatusQuery(data) ? reply(String(number), data) : "";
  if (number === 4) {
    const parts = data.split(";");
    const asked = parts.filter((_, i) => parts[i + 1] === "?").map((index) => `4;${index}`);
    return asked
      .map((key) => [key, figures(sticky.colour(key))] as const)
      .map(([key, colour]) => (colour === undefined ? "" : reply(key, colour)))
      .join("");
  }
  if (number < 10 || number > 12) return "";
  return data
    .split(";")
    .map((part, i) => {
      const key = String(number + i);
      if (part !== "?" || number + i > 12) return "";
      return reply(key, figures(sticky.colour(key)) ?? (key === "11" ? theme.background : theme.foreground));
    })
    .join("");
}

/** Names of capabilities, in hexadecimal. */
const CAPABILITIES = /^\+q([\da-f;]*)$/i;

/** DECRQSS and XTGETTCAP. Unknown requests are answered as such, so that nobody waits. */
export function answerDcs({ sticky }: Answering, payload: string): string {
  if (payload.startsWith("$q")) {
    if (payload === "$q q") return `\x1bP1$r${sticky.cursorShape} q\x1b\\`;
    return "\x1bP0$r\x1b\\";
  }
  if (payload.startsWith("+q")) return `\x1bP0+r${CAPABILITIES.exec(payload)?.[1] ?? ""}\x1b\\`;
  return "";
}
