// How a terminal fits its box: the number of cells that fill it, and the scale for a size that another window chose.
import { SIZE_LIMITS } from "../../../contract.ts";
import type { Size } from "../engine/lines.ts";
import type { Font } from "./font.ts";

/** CSS pixels between the box and the cells. */
export const PADDING = 8;

export interface Box {
  width: number;
  height: number;
}

const within = (value: number, [least, most]: readonly [number, number]) =>
  Math.max(least, Math.min(most, value));

/** `leastCols` fit even where the picture has to be smaller for it. */
export function fittingSize(box: Box, font: Font, leastCols = 0): Size {
  const cells = (length: number, cell: number) => ((length - 2 * PADDING) * font.ratio) / cell;
  const cols = cells(box.width, font.width);
  const scale = Math.min(1, Math.max(cols, 1) / leastCols);
  return {
    cols: within(Math.floor(Math.max(cols, leastCols)), SIZE_LIMITS.cols),
    rows: within(Math.floor(cells(box.height, font.height) / scale), SIZE_LIMITS.rows),
  };
}

/** Makes all of the picture fit; never enlarges it. */
export function scaleOf(box: Box, { cols, rows }: Size, font: Font): number {
  const width = (cols * font.width) / font.ratio;
  const height = (rows * font.height) / font.ratio;
  return Math.min(1, (box.width - 2 * PADDING) / width, (box.height - 2 * PADDING) / height);
}
