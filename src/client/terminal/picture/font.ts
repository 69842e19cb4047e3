// The size of one cell, in whole device pixels so that there are no gaps between cells.

// The font with narrow signs stands before those with wide ones.
const FAMILY =
  '"JetBrains Mono Variable", ui-monospace, "Signs", "Noto Sans Mono CJK JP", "Noto Color Emoji", monospace';
const LINE_HEIGHT = 1.25;

export const FONT_SIZES = { least: 8, default: 13, most: 28 } as const;

export interface Font {
  /** CSS pixels. */
  size: number;
  family: string;
  /** Device pixels per CSS pixel. */
  ratio: number;
  /** Device pixels from here on. */
  width: number;
  height: number;
  baseline: number;
  /** How much narrower than its cell a letter is. */
  spacing: number;
  style(isBold: boolean, isItalic: boolean): string;
}

export function measureFont(size: number, ratio: number): Font {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (context === null) throw new Error("this browser has no canvas");
  const style = (isBold: boolean, isItalic: boolean) =>
    `${isItalic ? "italic " : ""}${isBold ? 700 : 400} ${size * ratio}px ${FAMILY}`;
  context.font = style(false, false);
  const letter = context.measureText("M");
  const ascent = letter.fontBoundingBoxAscent;
  const descent = letter.fontBoundingBoxDescent;
  const width = Math.max(1, Math.round(letter.width));
  const height = Math.max(1, Math.round(size * ratio * LINE_HEIGHT));
  return {
    size,
    family: FAMILY,
    ratio,
    width,
    height,
    baseline: Math.round((height - ascent - descent) / 2 + ascent),
    spacing: width - letter.width,
    style,
  };
}

/** Loaded over the network: whatever is measured before is another font. One that can't be loaded is done without. */
export const loadFont = () =>
  Promise.allSettled([
    document.fonts.load(`400 13px ${FAMILY}`),
    document.fonts.load(`700 13px ${FAMILY}`),
    document.fonts.load(`400 13px "Signs"`, "→"),
  ]);
