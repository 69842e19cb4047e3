// What a page does with the bytes: ghostty-web's own terminal, without its canvas.
import { readFileSync } from "node:fs";
import { GhosttyTerminal } from "ghostty-web";
import { MODES, NEVER_REPLAYED } from "../../../src/vt/modes.ts";
import { ENGINE } from "./real-mirror.ts";

export const engineModule = new WebAssembly.Module(readFileSync(ENGINE));

type Exports = ConstructorParameters<typeof GhosttyTerminal>[0];

/** An instance each, as the page has to: one that was freed can spoil a shared one. */
export function createEmulator(cols: number, rows: number): GhosttyTerminal {
  const { exports } = new WebAssembly.Instance(engineModule, { env: { log() {} } });
  const used = exports as unknown as Exports;
  return new GhosttyTerminal(used, used.memory, cols, rows, { scrollbackLimit: 1_000_000 });
}

export interface Look {
  text: string;
  cells: string;
  cursor: string;
  modes: string;
}

const rgb = (r: number, g: number, b: number) => (r << 16) | (g << 8) | b;

export function look(emulator: GhosttyTerminal): Look {
  const { cols, rows } = emulator;
  emulator.update();
  // The array is reused and may be longer than the screen is now.
  const viewport = emulator.getViewport().slice(0, cols * rows);
  let text = "";
  let cells = "";
  for (const [i, cell] of viewport.entries()) {
    const row = Math.floor(i / cols);
    const shown =
      cell.grapheme_len > 0
        ? emulator.getGraphemeString(row, i % cols)
        : String.fromCodePoint(cell.codepoint);
    if (cell.width > 0) text += cell.codepoint === 0 ? " " : shown;
    const colours = `${rgb(cell.fg_r, cell.fg_g, cell.fg_b)}/${rgb(cell.bg_r, cell.bg_g, cell.bg_b)}`;
    cells += `${shown} ${colours} ${cell.flags} ${cell.width}\n`;
    if (i % cols === cols - 1) text = `${text.trimEnd()}\n`;
  }
  const { x, y, visible } = emulator.getCursor();
  const modes = MODES.filter(({ number }) => number !== NEVER_REPLAYED)
    .map(({ number, ansi }) => (emulator.getMode(number, ansi) ? "1" : "0"))
    .join("");
  return { text, cells, cursor: `${x},${y},${visible}`, modes: `${modes} ${emulator.isAlternateScreen()}` };
}
