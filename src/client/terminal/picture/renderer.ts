// Paints the rows that changed onto a canvas, in device pixels.
import type { Emulator } from "../engine/emulator.ts";
import type { Size } from "../engine/lines.ts";
import type { Font } from "./font.ts";
import type { Palette } from "./palette.ts";
import { type Overlay, RowPainter } from "./row-painter.ts";

export interface Scene {
  emulator: Emulator;
  font: Font;
  palette: Palette;
  /** Number of the line at the top. */
  top: number;
  overlay(line: number): Overlay;
}

export class Renderer {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #painter: RowPainter | undefined;
  /** The overlay each row was last painted with. */
  #painted: string[] = [];
  #top = -1;
  #history = -1;

  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) throw new Error("this browser has no canvas");
    this.#canvas = canvas;
    this.#context = context;
  }

  paint({ emulator, font, palette, top, overlay }: Scene): void {
    if (emulator.hasFailed) return; // the last picture stays until there is something to show
    const { cols, rows } = emulator.size();
    const last = this.#painter;
    const isResized = this.#resize({ cols, rows }, font);
    const isKept = !isResized && last?.font === font && last.palette === palette;
    const painter = isKept ? last : new RowPainter(this.#context, font, palette);
    const history = emulator.historyLength();
    const isMoved = !isKept || top !== this.#top || (top < history && history !== this.#history);
    const isDirty = emulator.isDirty();
    const overlays = Array.from({ length: rows }, (_, row) => overlay(top + row));
    const keys = overlays.map((each) => JSON.stringify(each));
    const isStale = (row: number) =>
      isMoved ||
      keys[row] !== this.#painted[row] ||
      (isDirty && top + row >= history && emulator.isRowDirty(top + row - history));
    const stale = [...overlays.entries()].filter(([row]) => isStale(row));
    if (stale.length > 0) {
      const lines = emulator.lines(top, rows);
      for (const [row, each] of stale) if (row < lines.count) painter.paint(lines, row, each);
    }
    emulator.markClean();
    this.#painter = painter;
    this.#painted = keys;
    this.#top = top;
    this.#history = history;
  }

  /** The canvas is empty: the next picture is painted whole. */
  forget(): void {
    this.#painter = undefined;
  }

  #resize({ cols, rows }: Size, font: Font): boolean {
    const canvas = this.#canvas;
    const width = cols * font.width;
    const height = rows * font.height;
    if (canvas.width === width && canvas.height === height) return false;
    canvas.width = width;
    canvas.height = height;
    canvas.style.width = `${width / font.ratio}px`;
    canvas.style.height = `${height / font.ratio}px`;
    return true;
  }
}
