// Paints the rows that changed onto a canvas, in device pixels.

import type { Emulator } from "../engine/emulator.ts";
import { Flag, type Lines } from "../engine/lines.ts";
import { createCache } from "./cache.ts";
import type { Font } from "./font.ts";
import { drawGlyph, isDrawn } from "./glyphs.ts";
import type { Palette } from "./palette.ts";

/** A stretch of one row: from the first column to before the last. */
export interface Span {
  start: number;
  end: number;
}

export interface Overlay {
  selection: Span | undefined;
  matches: readonly (Span & { isCurrent: boolean })[];
  link: Span | undefined;
  cursor: { col: number; shape: "block" | "hollow" | "underline" | "bar" } | undefined;
}

export interface Scene {
  emulator: Emulator;
  font: Font;
  palette: Palette;
  /** Number of the line at the top. */
  top: number;
  overlay(line: number): Overlay;
}

const FAINT_ALPHA = 0.62;

export class Renderer {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  /** What each row was last painted with, besides its cells. */
  #painted: string[] = [];
  #top = -1;
  #history = -1;
  #font: Font | undefined;
  #palette: Palette | undefined;
  #widths: (text: string) => number;

  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) throw new Error("this browser has no canvas");
    this.#canvas = canvas;
    this.#context = context;
    this.#widths = this.#createWidths();
  }

  /** Brings the picture up to date; what has not changed is left alone. */
  paint(scene: Scene): void {
    const { emulator, font, palette, top } = scene;
    const { cols, rows } = emulator.size();
    if (emulator.hasFailed) return; // the last picture stays until there is something to show
    const isAfresh = this.#prepare(cols, rows, font, palette);
    const history = emulator.historyLength();
    const isMoved = isAfresh || top !== this.#top || (top < history && history !== this.#history);
    const isDirty = emulator.isDirty();
    const overlays = Array.from({ length: rows }, (_, row) => scene.overlay(top + row));
    const keys = overlays.map((overlay) => JSON.stringify(overlay));
    const isStale = (row: number) =>
      isMoved ||
      keys[row] !== this.#painted[row] ||
      (isDirty && top + row >= history && emulator.isRowDirty(top + row - history));
    const stale = keys.flatMap((_, row) => (isStale(row) ? [row] : []));
    if (stale.length > 0) {
      const lines = emulator.lines(top, rows);
      for (const row of stale) {
        const overlay = overlays[row];
        if (overlay !== undefined && row < lines.count) this.#row(lines, row, overlay, font, palette);
      }
    }
    emulator.markClean();
    this.#painted = keys;
    this.#top = top;
    this.#history = history;
  }

  /** Nothing of the last picture is left: the next one is drawn whole. */
  forget(): void {
    this.#font = undefined;
  }

  #prepare(cols: number, rows: number, font: Font, palette: Palette): boolean {
    const width = cols * font.width;
    const height = rows * font.height;
    const isSame = this.#canvas.width === width && this.#canvas.height === height;
    if (isSame && this.#font === font && this.#palette === palette) return false;
    if (this.#font !== font) this.#widths = this.#createWidths();
    this.#font = font;
    this.#palette = palette;
    if (!isSame) {
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#canvas.style.width = `${width / font.ratio}px`;
      this.#canvas.style.height = `${height / font.ratio}px`;
    }
    this.#context.textBaseline = "alphabetic";
    this.#context.fontKerning = "none";
    return true;
  }

  /** Of a character that is drawn by itself, in the font's plain style. */
  #createWidths(): (text: string) => number {
    return createCache(4_096, (text) => this.#context.measureText(text).width);
  }

  #row(lines: Lines, row: number, overlay: Overlay, font: Font, palette: Palette): void {
    const context = this.#context;
    const y = row * font.height;
    context.save();
    context.beginPath();
    context.rect(0, y, this.#canvas.width, font.height);
    context.clip();
    context.fillStyle = palette.background;
    context.fillRect(0, y, this.#canvas.width, font.height);
    this.#backgrounds(lines, row, y, font, palette);
    const stretch = ({ start, end }: Span, style: string) => {
      context.fillStyle = style;
      context.fillRect(start * font.width, y, (end - start) * font.width, font.height);
    };
    for (const match of overlay.matches)
      stretch(match, match.isCurrent ? palette.currentMatch : palette.match);
    if (overlay.selection !== undefined) stretch(overlay.selection, palette.selection);
    const block = overlay.cursor?.shape === "block" ? overlay.cursor.col : -1;
    if (block >= 0) stretch({ start: block, end: block + cellsAt(lines, row, block) }, palette.cursor);
    this.#texts(lines, row, y, font, palette, block);
    if (overlay.link !== undefined) {
      const link = { ...overlay.link, height: line(font) };
      context.fillStyle = palette.cursor;
      context.fillRect(
        link.start * font.width,
        y + font.height - link.height,
        (link.end - link.start) * font.width,
        link.height,
      );
    }
    if (overlay.cursor !== undefined) this.#cursor(lines, row, y, overlay.cursor, font, palette);
    context.restore();
  }

  #backgrounds(lines: Lines, row: number, y: number, font: Font, palette: Palette): void {
    for (let col = 0; col < lines.cols; ) {
      let end = col + 1;
      while (end < lines.cols && lines.hasSameLook(row, col, end)) end++;
      const style = palette.css(paper(lines, row, col));
      if (style !== palette.background) {
        this.#context.fillStyle = style;
        this.#context.fillRect(col * font.width, y, (end - col) * font.width, font.height);
      }
      col = end;
    }
  }

  #texts(lines: Lines, row: number, y: number, font: Font, palette: Palette, block: number): void {
    const context = this.#context;
    for (let col = 0; col < lines.cols; ) {
      const start = col;
      const flags = lines.flags(row, start);
      let run = "";
      let end = start;
      // Letters of one look that the font has are drawn together.
      while (
        end < lines.cols &&
        end !== block &&
        lines.hasSameLook(row, start, end) &&
        isPlain(lines, row, end)
      ) {
        run += String.fromCharCode(lines.codepoint(row, end) || 0x20);
        end++;
      }
      const isRun = end > start;
      if (!isRun) end = start + Math.max(1, lines.width(row, start));
      col = end;
      if (flags & Flag.INVISIBLE) continue;
      if (isRun && run.trim() === "" && !(flags & (Flag.UNDERLINE | Flag.STRUCK))) continue;
      context.fillStyle =
        start === block ? palette.background : palette.ink(ink(lines, row, start), paper(lines, row, start));
      context.globalAlpha = flags & Flag.FAINT ? FAINT_ALPHA : 1;
      context.font = font.style((flags & Flag.BOLD) !== 0, (flags & Flag.ITALIC) !== 0);
      if (isRun) this.#run(run, start, y, font);
      else this.#single(lines, row, start, y, font);
      this.#decorate(flags, start, end, y, font);
      context.globalAlpha = 1;
    }
  }

  #run(run: string, col: number, y: number, font: Font): void {
    // Never exactly none: that would bring the font's ligatures.
    this.#context.letterSpacing = `${font.spacing || 0.001}px`;
    this.#context.fillText(run.trimEnd(), col * font.width, y + font.baseline);
    this.#context.letterSpacing = "0px";
  }

  #single(lines: Lines, row: number, col: number, y: number, font: Font): void {
    const cells = cellsAt(lines, row, col);
    const codepoint = lines.codepoint(row, col);
    const x = col * font.width;
    if (codepoint === 0) return;
    if (!lines.isCluster(row, col) && isDrawn(codepoint)) {
      drawGlyph(
        this.#context,
        codepoint,
        { x, y, width: cells * font.width, height: font.height },
        font.ratio,
      );
      return;
    }
    const text = lines.character(row, col);
    const room = cells * font.width;
    const width = this.#widths(text);
    const shift = cells === 2 && width < room ? (room - width) / 2 : 0;
    this.#context.fillText(text, x + shift, y + font.baseline, room);
  }

  #decorate(flags: number, start: number, end: number, y: number, font: Font): void {
    const draw = (at: number) =>
      this.#context.fillRect(start * font.width, at, (end - start) * font.width, line(font));
    if (flags & Flag.UNDERLINE) draw(y + Math.min(font.baseline + 2 * line(font), font.height - line(font)));
    if (flags & Flag.STRUCK) draw(y + Math.round(font.baseline * 0.68));
  }

  #cursor(
    lines: Lines,
    row: number,
    y: number,
    cursor: Overlay["cursor"],
    font: Font,
    palette: Palette,
  ): void {
    if (cursor === undefined || cursor.shape === "block") return;
    const context = this.#context;
    const x = cursor.col * font.width;
    const width = cellsAt(lines, row, cursor.col) * font.width;
    const thick = line(font);
    context.fillStyle = palette.cursor;
    if (cursor.shape === "bar") context.fillRect(x, y, thick * 2, font.height);
    else if (cursor.shape === "underline") context.fillRect(x, y + font.height - thick * 2, width, thick * 2);
    else {
      context.lineWidth = thick;
      context.strokeStyle = palette.cursor;
      context.strokeRect(x + thick / 2, y + thick / 2, width - thick, font.height - thick);
    }
  }
}

const line = (font: Font) => Math.max(1, Math.round(font.ratio));
const cellsAt = (lines: Lines, row: number, col: number) => (lines.width(row, col) === 2 ? 2 : 1);
const isPlain = (lines: Lines, row: number, col: number) =>
  lines.codepoint(row, col) < 0x7f && lines.width(row, col) === 1 && !lines.isCluster(row, col);

const isInverse = (lines: Lines, row: number, col: number) => (lines.flags(row, col) & Flag.INVERSE) !== 0;
const paper = (lines: Lines, row: number, col: number) =>
  isInverse(lines, row, col) ? lines.foreground(row, col) : lines.background(row, col);
const ink = (lines: Lines, row: number, col: number) =>
  isInverse(lines, row, col) ? lines.background(row, col) : lines.foreground(row, col);
