// How many tiles fit side by side. Pure.

export interface Shape {
  columns: number;
  /** CSS pixels of one row. If not all rows fit, the page scrolls. */
  rowHeight: number;
}

/** Width to height of a terminal of 80 × 24. */
const RATIO = 1.6;
/** Anything smaller is unreadable. */
const LEAST = { width: 260, height: 170 };
export const TILE_GAP = 8;

/** The shape with the largest tiles, or the most readable ones if not all fit. */
export function shapeOf(box: { width: number; height: number }, count: number): Shape {
  const shapes = Array.from({ length: Math.max(count, 1) }, (_, index) => {
    const columns = index + 1;
    const rows = Math.max(1, Math.ceil(count / columns));
    const width = (box.width - (columns - 1) * TILE_GAP) / columns;
    const height = (box.height - (rows - 1) * TILE_GAP) / rows;
    return { columns, width, height, size: Math.min(width, height * RATIO) };
  }).filter(({ columns, width }) => columns === 1 || width >= LEAST.width);
  const [whole] = shapes.filter(({ height }) => height >= LEAST.height).sort((a, b) => b.size - a.size);
  if (whole !== undefined) return { columns: whole.columns, rowHeight: Math.floor(whole.height) };
  const { columns = 1, width = 0 } = shapes.at(-1) ?? {};
  return { columns, rowHeight: Math.max(LEAST.height, Math.floor(width / RATIO)) };
}
