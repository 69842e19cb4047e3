// What is to be seen of a terminal: the emulator, its picture on the canvas, and what lies over it.
import { Emulator, type Size } from "./engine/emulator.ts";
import type { EngineModule } from "./engine/engine-module.ts";
import { landmark } from "./engine/landmark.ts";
import { Finder } from "./links-and-find/finder.ts";
import { type Link, linkAt } from "./links-and-find/links.ts";
import { type Box, fittingSize, PADDING, scaleOf } from "./picture/fit.ts";
import { type Font, measureFont } from "./picture/font.ts";
import { createFontFitter } from "./picture/font-fitter.ts";
import { createPalette, type Palette, type ThemeName } from "./picture/palette.ts";
import { type Overlay, Renderer } from "./picture/renderer.ts";
import type { Place } from "./pointer-and-touch/pointer.ts";
import { ScrollPosition } from "./pointer-and-touch/scroll.ts";
import { Selection } from "./pointer-and-touch/selection.ts";

export interface ScreenOptions {
  module: EngineModule;
  canvas: HTMLCanvasElement;
  box: HTMLElement;
  theme: ThemeName;
  fontSize: number;
  /** So many columns are wanted even in a box that is too narrow for them. */
  leastCols?: number;
  onTitle(title: string): void;
  onBell(): void;
  onFailure(reason: string): void;
  /** After each picture, so that what is shown around it agrees. */
  onDrawn(): void;
}

/** A program that never ends its synchronised update is not waited for. */
const SYNCHRONISED_MS = 200;
/** So much since the last picture is more than anyone reads: while more comes, a few pictures a second will do. */
const FLOOD_BYTES = 16_384;
const FLOOD_PICTURE_MS = 100;
/** Nothing new for so long: the flood may be over, and its end is shown at once, unless it only comes in gusts. */
const FLOOD_PAUSE_MS = 6;
const GUST_PICTURE_MS = 30;
const BLINK_MS = 600;
/** By DECSCUSR's number; the odd ones blink. */
const CURSOR_SHAPES = ["block", "block", "block", "underline", "underline", "bar", "bar"] as const;

export class Screen {
  readonly emulator: Emulator;
  readonly selection: Selection;
  readonly finder: Finder;
  readonly scroll: ScrollPosition;
  /** Is the terminal typed into? */
  isFocused = false;
  /** Nothing will be typed at the cursor any more. */
  isOver = false;
  readonly #options: ScreenOptions;
  readonly #renderer: Renderer;
  #font: Font;
  readonly #fitFont = createFontFitter();
  #theme: ThemeName;
  #palette: Palette;
  #box: Box;
  #frame: number | undefined;
  #heldSince: number | undefined;
  /** Since the last picture. */
  #written = 0;
  #cameAt = 0;
  #paintedAt = 0;
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
    options.canvas.addEventListener("contextrestored", this.#redraw);
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

  get link(): Link | undefined {
    return this.#link;
  }

  /** The size that would fill the box. */
  fit = (): Size => fittingSize(this.#box, this.#font, this.#options.leastCols);

  /** Begins anew, with nothing on it. */
  begin(size: Size): void {
    this.selection.clear();
    this.scroll.follow();
    this.emulator.clear(size);
    this.draw();
  }

  /** `cameAt`: when they arrived, in the page's own time. */
  write(bytes: Uint8Array, cameAt: number): void {
    this.#written += bytes.length;
    this.#cameAt = cameAt;
    const wasAlternate = this.emulator.isAlternate();
    const stay = this.#hold();
    this.emulator.write(bytes);
    if (this.emulator.isAlternate() !== wasAlternate) {
      this.selection.clear();
      this.scroll.follow();
    } else stay();
    this.draw();
  }

  resize(size: Size): void {
    this.selection.clear();
    this.emulator.resize(size);
    this.draw();
  }

  /** The box, the font or the resolution is another one. */
  remeasure(fontSize = this.#font.size): void {
    this.#box = this.#options.box.getBoundingClientRect();
    if (fontSize !== this.#font.size || devicePixelRatio !== this.#font.ratio)
      this.#font = measureFont(fontSize, devicePixelRatio);
    this.draw();
  }

  /** The page's font has come: what was measured was another. */
  refont(): void {
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

  /** From the window's pixels to cells; outside, the nearest. */
  locate(clientX: number, clientY: number) {
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
  }

  /** Where the cursor is in the box, in CSS pixels. */
  cursorBox() {
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
  }

  /** One picture per frame, whatever happens in between; none while nobody looks. */
  draw(): void {
    this.#frame ??= requestAnimationFrame(() => this.#paint());
  }

  /** What would be drawn with the next frame: for those who watch how long it takes. */
  drawNow = () => {
    if (this.#frame === undefined || this.#frame === -1) return;
    cancelAnimationFrame(this.#frame);
    this.#paint();
  };

  dispose(): void {
    this.#options.canvas.removeEventListener("contextrestored", this.#redraw);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = -1;
  }

  /** Browsers take a picture away when the graphics card was reset or is short of memory. */
  #redraw = () => {
    this.#renderer.forget();
    this.draw();
  };

  /** Gives how to keep what is marked and what is looked at in their places. */
  #hold(): () => void {
    const { emulator, selection, scroll } = this;
    const { top } = scroll;
    const [, end] = selection.ends;
    const marked = end && landmark(emulator, end.line);
    const seen = scroll.isFollowing ? undefined : landmark(emulator, top + emulator.size().rows - 1);
    const history = emulator.historyLength();
    return () => {
      if (marked !== undefined) selection.moveUp(marked() ?? Number.POSITIVE_INFINITY);
      if (seen === undefined) return;
      const by = seen();
      // Where the program has thrown its history away it may be about to print it again, with the place in it.
      if (by !== undefined || emulator.historyLength() >= history) scroll.to(top - (by ?? top));
    };
  }

  #recolour(): void {
    this.#palette = createPalette(this.#theme, this.emulator.colour);
    this.draw();
  }

  /** Smaller letters where another window's size has to fit into this one. */
  #drawnFont = () => this.#fitFont(this.#font, this.#box, this.emulator.size());

  #scale = () => scaleOf(this.#box, this.emulator.size(), this.#drawnFont());

  #paint(): void {
    this.#frame = undefined;
    const now = performance.now();
    if (this.#isFlooded(now)) {
      this.draw();
      return;
    }
    if (this.emulator.isSynchronised) this.#heldSince ??= now;
    else this.#heldSince = undefined;
    if (this.#heldSince !== undefined && now - this.#heldSince < SYNCHRONISED_MS) {
      this.draw();
      return;
    }
    this.#written = 0;
    this.#paintedAt = now;
    const { canvas } = this.#options;
    this.#renderer.paint({
      emulator: this.emulator,
      font: this.#drawnFont(),
      palette: this.#palette,
      top: this.scroll.top,
      overlay: this.#overlays(now),
    });
    const scale = this.#scale();
    canvas.style.transform = scale === 1 ? "" : `scale(${scale})`;
    this.#options.onDrawn();
  }

  #isFlooded(now: number): boolean {
    const isPouring = now - this.#cameAt < FLOOD_PAUSE_MS;
    const interval = isPouring ? FLOOD_PICTURE_MS : GUST_PICTURE_MS;
    return this.#written >= FLOOD_BYTES && now - this.#paintedAt < interval;
  }

  #overlays(now: number): (line: number) => Overlay {
    const { x, y } = this.emulator.cursor();
    const cursorLine = this.emulator.historyLength() + y;
    const shape = this.emulator.cursorShape;
    const cursor = !this.isOver &&
      this.emulator.isCursorVisible() &&
      this.#isLit(shape, now) && {
        col: Math.min(x, this.emulator.size().cols - 1),
        shape: this.isFocused ? (CURSOR_SHAPES[shape] ?? "block") : ("hollow" as const),
      };
    return (line) => ({
      selection: this.selection.spanOf(line),
      matches: this.finder.spansOf(line),
      link: this.#link?.spans.find((span) => span.line === line),
      cursor: line === cursorLine && cursor ? cursor : undefined,
    });
  }

  /** Only where the program asked for a blinking cursor, and the person does not mind. */
  #isLit(shape: number, now: number): boolean {
    const isBlinking =
      shape % 2 === 1 && this.isFocused && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!isBlinking) return true;
    setTimeout(() => this.#frame !== -1 && this.draw(), BLINK_MS - (now % BLINK_MS));
    return Math.floor(now / BLINK_MS) % 2 === 0;
  }
}
