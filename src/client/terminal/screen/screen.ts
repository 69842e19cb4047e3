// What a terminal shows: its emulator, the picture of it on a canvas, and the selection.
import { Emulator, type EmulatorEvents } from "../engine/emulator.ts";
import type { Size } from "../engine/lines.ts";
import { Finder } from "../links-and-find/finder.ts";
import { type Link, linkAt } from "../links-and-find/links.ts";
import { type Box, fittingSize, PADDING, scaleOf } from "../picture/fit.ts";
import { type Font, measureFont } from "../picture/font.ts";
import { createFontFitter } from "../picture/font-fitter.ts";
import { createPalette, type Palette, type ThemeName } from "../picture/palette.ts";
import { Renderer } from "../picture/renderer.ts";
import type { Overlay } from "../picture/row-painter.ts";
import { type CursorLook, cursorLook } from "./cursor.ts";
import { FrameSchedule } from "./frame-schedule.ts";
import { keepPlaces } from "./keep-places.ts";
import { ScrollPosition } from "./scroll-position.ts";
import { Selection } from "./selection.ts";

export interface ScreenOptions extends Omit<EmulatorEvents, "onColours"> {
  module: WebAssembly.Module;
  canvas: HTMLCanvasElement;
  box: HTMLElement;
  theme: ThemeName;
  fontSize: number;
  /** At least this many columns, even if the box is too narrow for them. */
  leastCols?: number;
  /** After each picture. */
  onPainted(): void;
}

export interface Place {
  /** Line from the oldest, and column. */
  line: number;
  col: number;
  /** The nearest edge between two cells: a selection begins and ends there. */
  edge: number;
}

export class Screen {
  readonly emulator: Emulator;
  readonly selection: Selection;
  readonly finder: Finder;
  readonly scroll: ScrollPosition;
  /** The terminal has the keyboard. */
  isFocused = false;
  /** The program has ended, and has no cursor. */
  isOver = false;
  readonly #options: ScreenOptions;
  readonly #renderer: Renderer;
  readonly #frames: FrameSchedule;
  readonly #fitFont = createFontFitter();
  #font: Font;
  #theme: ThemeName;
  #palette: Palette;
  #box: Box;
  #link: Link | undefined;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#theme = options.theme;
    this.#font = measureFont(options.fontSize, devicePixelRatio);
    this.#box = options.box.getBoundingClientRect();
    this.emulator = new Emulator(options.module, this.fit(), {
      onTitle: options.onTitle,
      onBell: options.onBell,
      onColours: () => this.#recolour(),
      onFailure: options.onFailure,
    });
    this.#palette = createPalette(this.#theme, this.emulator.colour);
    this.#renderer = new Renderer(options.canvas);
    this.#frames = new FrameSchedule(
      () => this.emulator.isSynchronised,
      (now) => this.#paint(now),
    );
    options.canvas.addEventListener("contextrestored", this.#repaint);
    this.selection = new Selection(this.emulator);
    this.finder = new Finder(this.emulator);
    this.scroll = new ScrollPosition(this.emulator.historyLength);
  }

  get background(): string {
    return this.#palette.background;
  }

  get font(): Font {
    return this.#font;
  }

  /** The link under the pointer. */
  get link(): Link | undefined {
    return this.#link;
  }

  /** The size that would fill the box. */
  fit = (): Size => fittingSize(this.#box, this.#font, this.#options.leastCols);

  /** Starts again with nothing on the screen. */
  clear(size: Size): void {
    this.selection.clear();
    this.scroll.follow();
    this.emulator.clear(size);
    this.draw();
  }

  /** `arrivedAt`: by `performance.now()`. */
  write(bytes: Uint8Array, arrivedAt: number): void {
    this.#frames.wrote(bytes.length, arrivedAt);
    const wasAlternate = this.emulator.isAlternate();
    const restorePlaces = keepPlaces(this);
    this.emulator.write(bytes);
    if (this.emulator.isAlternate() !== wasAlternate) {
      this.selection.clear();
      this.scroll.follow();
    } else restorePlaces();
    this.draw();
  }

  resize(size: Size): void {
    this.selection.clear();
    this.emulator.resize(size);
    this.draw();
  }

  /** After a change of the box, the font size or the display's resolution. */
  remeasure(fontSize = this.#font.size): void {
    this.#box = this.#options.box.getBoundingClientRect();
    if (fontSize !== this.#font.size || devicePixelRatio !== this.#font.ratio)
      this.#font = measureFont(fontSize, devicePixelRatio);
    this.draw();
  }

  /** The page's font has arrived: another one was measured before. */
  remeasureFont(): void {
    this.#font = measureFont(this.#font.size, devicePixelRatio);
    this.draw();
  }

  setTheme(theme: ThemeName): void {
    this.#theme = theme;
    this.#recolour();
  }

  hover(place: Place | undefined): void {
    this.#link = place && linkAt(this.emulator, place);
    this.draw();
  }

  /** The cell at a point of the window; the nearest one for a point outside. */
  locate = (clientX: number, clientY: number) => {
    const { left, top, width, height } = this.#options.canvas.getBoundingClientRect();
    const { cols, rows } = this.emulator.size();
    const x = Math.max(0, Math.min(((clientX - left) / width) * cols, cols - 0.001));
    const y = Math.max(0, Math.min(((clientY - top) / height) * rows, rows - 0.001));
    const col = Math.floor(x);
    const row = Math.floor(y);
    const { ratio } = this.#font;
    const place: Place = { line: this.scroll.top + row, col, edge: Math.round(x) };
    const pixels = { x: (x * this.#font.width) / ratio, y: (y * this.#font.height) / ratio };
    return { place, col, row, ...pixels };
  };

  /** Where the cursor is in the box, in CSS pixels. */
  cursorBox = () => {
    const { x, y } = this.emulator.cursor();
    const scale = this.#scale();
    const font = this.#drawnFont();
    const width = (font.width / font.ratio) * scale;
    const height = (font.height / font.ratio) * scale;
    return {
      left: PADDING + x * width,
      top: PADDING + y * height,
      width,
      height,
      fontSize: font.size * scale,
    };
  };

  /** With the next frame. */
  draw = (): void => this.#frames.request();

  /** Paints what waits for the next frame now, so that the time it takes can be measured. */
  drawNow = () => this.#frames.flush();

  dispose(): void {
    this.#options.canvas.removeEventListener("contextrestored", this.#repaint);
    this.#frames.dispose();
  }

  /** A browser may empty the canvas when the graphics card is reset or short of memory. */
  #repaint = () => {
    this.#renderer.forget();
    this.draw();
  };

  #recolour(): void {
    this.#palette = createPalette(this.#theme, this.emulator.colour);
    this.draw();
  }

  /** Smaller than the chosen font if the size of another window has to fit into this one. */
  #drawnFont = () => this.#fitFont(this.#font, this.#box, this.emulator.size());

  #scale = () => scaleOf(this.#box, this.emulator.size(), this.#drawnFont());

  #paint(now: number): void {
    this.#renderer.paint({
      emulator: this.emulator,
      font: this.#drawnFont(),
      palette: this.#palette,
      top: this.scroll.top,
      overlay: this.#overlays(now),
    });
    const scale = this.#scale();
    this.#options.canvas.style.transform = scale === 1 ? "" : `scale(${scale})`;
    this.#options.onPainted();
  }

  #overlays(now: number): (line: number) => Overlay {
    const { emulator, isFocused } = this;
    const { x, y } = emulator.cursor();
    const cursorLine = emulator.historyLength() + y;
    const { shape, blinksIn }: CursorLook = this.isOver ? {} : cursorLook(emulator, isFocused, now);
    if (blinksIn !== undefined) setTimeout(this.#frames.request, blinksIn);
    const cursor = shape && { col: Math.min(x, emulator.size().cols - 1), shape };
    return (line) => ({
      selection: this.selection.spanOf(line),
      matches: this.finder.spansOf(line),
      link: this.#link?.spans.find((span) => span.line === line),
      cursor: line === cursorLine ? cursor : undefined,
    });
  }
}
