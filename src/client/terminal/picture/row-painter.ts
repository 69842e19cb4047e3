// Paints one row of a terminal: backgrounds, highlights, text, underlines, cursor.
import { Flag, type Lines, type Span } from "../engine/lines.ts";
import { createCache } from "./cache.ts";
import type { Font } from "./font.ts";
import { drawGlyph, isDrawn } from "./glyphs.ts";
import type { Palette } from "./palette.ts";
import { drawSign, isSign } from "./symbols.ts";

/** What lies over the cells of a row. */
export interface Overlay {
  selection: Span | undefined;
  matches: readonly (Span & { isCurrent: boolean })[];
  link: Span | undefined;
  cursor: Cursor | undefined;
}

interface Cursor {
  col: number;
  shape: "block" | "hollow" | "underline" | "bar";
}

const FAINT_ALPHA = 0.62;
const REMEMBERED_WIDTHS = 4_096;

export class RowPainter {
  readonly font: Font;
  readonly palette: Palette;
  readonly #context: CanvasRenderingContext2D;
  /** Width of a character that is drawn by itself, in the font's plain style. */
  readonly #widthOf: (text: string) => number;
  readonly #lineWidth: number;

  constructor(context: CanvasRenderingContext2D, font: Font, palette: Palette) {
    this.font = font;
    this.palette = palette;
    this.#context = context;
    this.#widthOf = createCache(REMEMBERED_WIDTHS, (text) => context.measureText(text).width);
    this.#lineWidth = Math.max(1, Math.round(font.ratio));
    context.textBaseline = "alphabetic";
    context.fontKerning = "none";
  }

  paint(lines: Lines, row: number, overlay: Overlay): void {
    const { font, palette } = this;
    const context = this.#context;
    const y = row * font.height;
    const { cursor, link, selection } = overlay;
    context.save();
    context.beginPath();
    context.rect(0, y, lines.cols * font.width, font.height);
    context.clip();
    const fill = (style: string, { start, end }: Span, top = y) => {
      context.fillStyle = style;
      context.fillRect(start * font.width, top, (end - start) * font.width, y + font.height - top);
    };
    fill(palette.background, { start: 0, end: lines.cols });
    this.#backgrounds(lines, row, fill);
    for (const match of overlay.matches) fill(match.isCurrent ? palette.currentMatch : palette.match, match);
    if (selection !== undefined) fill(palette.selection, selection);
    const block = cursor?.shape === "block" ? cursor.col : -1;
    if (block >= 0) fill(palette.cursor, { start: block, end: block + cellsAt(lines, row, block) });
    this.#texts(lines, row, y, block);
    if (link !== undefined) fill(palette.cursor, link, y + font.height - this.#lineWidth);
    if (cursor !== undefined) this.#cursor(cursor, cellsAt(lines, row, cursor.col), y);
    context.restore();
  }

  #backgrounds(lines: Lines, row: number, fill: (style: string, span: Span) => void): void {
    for (let start = 0; start < lines.cols; ) {
      let end = start + 1;
      while (end < lines.cols && lines.hasSameLook(row, start, end)) end++;
      const style = this.palette.css(paper(lines, row, start));
      if (style !== this.palette.background) fill(style, { start, end });
      start = end;
    }
  }

  #texts(lines: Lines, row: number, y: number, block: number): void {
    const { font, palette } = this;
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
      if (isRun) this.#run(run, start, y);
      else this.#single(lines, row, start, y);
      this.#decorate(flags, { start, end }, y);
      context.globalAlpha = 1;
    }
  }

  #run(run: string, col: number, y: number): void {
    const { font } = this;
    // Never exactly 0: that would turn on the font's ligatures.
    this.#context.letterSpacing = `${font.spacing || 0.001}px`;
    this.#context.fillText(run.trimEnd(), col * font.width, y + font.baseline);
    this.#context.letterSpacing = "0px";
  }

  #single(lines: Lines, row: number, col: number, y: number): void {
    const { font } = this;
    const codepoint = lines.codepoint(row, col);
    const x = col * font.width;
    const room = cellsAt(lines, row, col) * font.width;
    if (codepoint === 0) return;
    if (!lines.isCluster(row, col) && isDrawn(codepoint)) {
      drawGlyph(this.#context, codepoint, { x, y, width: room, height: font.height }, font.ratio);
      return;
    }
    if (!lines.isCluster(row, col) && isSign(codepoint)) {
      drawSign(this.#context, codepoint, { x, y, width: room, height: font.height }, font.width);
      return;
    }
    const text = lines.character(row, col);
    const width = this.#widthOf(text);
    const shift = room > font.width && width < room ? (room - width) / 2 : 0;
    this.#context.fillText(text, x + shift, y + font.baseline, room);
  }

  #decorate(flags: number, { start, end }: Span, y: number): void {
    const { font } = this;
    const line = this.#lineWidth;
    const draw = (at: number) =>
      this.#context.fillRect(start * font.width, at, (end - start) * font.width, line);
    if (flags & Flag.UNDERLINE) draw(y + Math.min(font.baseline + 2 * line, font.height - line));
    if (flags & Flag.STRUCK) draw(y + Math.round(font.baseline * 0.68));
  }

  /** Any cursor but a block, which lies under the text. */
  #cursor({ col, shape }: Cursor, cells: number, y: number): void {
    const { font } = this;
    const context = this.#context;
    const line = this.#lineWidth;
    const x = col * font.width;
    const width = cells * font.width;
    context.fillStyle = this.palette.cursor;
    if (shape === "bar") context.fillRect(x, y, line * 2, font.height);
    else if (shape === "underline") context.fillRect(x, y + font.height - line * 2, width, line * 2);
    else if (shape === "hollow") {
      context.lineWidth = line;
      context.strokeStyle = this.palette.cursor;
      context.strokeRect(x + line / 2, y + line / 2, width - line, font.height - line);
    }
  }
}

const cellsAt = (lines: Lines, row: number, col: number) => (lines.width(row, col) === 2 ? 2 : 1);
const isPlain = (lines: Lines, row: number, col: number) =>
  lines.codepoint(row, col) < 0x7f && lines.width(row, col) === 1 && !lines.isCluster(row, col);

const isInverse = (lines: Lines, row: number, col: number) => (lines.flags(row, col) & Flag.INVERSE) !== 0;
const paper = (lines: Lines, row: number, col: number) =>
  isInverse(lines, row, col) ? lines.foreground(row, col) : lines.background(row, col);
const ink = (lines: Lines, row: number, col: number) =>
  isInverse(lines, row, col) ? lines.background(row, col) : lines.foreground(row, col);
