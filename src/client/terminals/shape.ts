// How many tiles stand side by side. Pure.

export interface Shape {
  columns: number;
  /** CSS pixels of one row; more rows than there is room for scroll. */
  rowHeight: number;
}

/** What a terminal of 80 × 24 needs, by its form. */
const RATIO = 1.6;
const LEAST_HEIGHT = 180;
export const TILE_GAP = 8;

/** The shape in which the tiles are largest, that of a terminal kept in mind. */
export function shapeOf(box: { width: number; height: number }, count: number): Shape {
  const shapes = Array.from({ length: Math.max(count, 1) }, (_, index) => {
    const columns = index + 1;
    const rows = Math.ceil(count / columns) || 1;
    const width = (box.width - (columns - 1) * TILE_GAP) / columns;
    const height = (box.height - (rows - 1) * TILE_GAP) / rows;
    const rowHeight = Math.max(LEAST_HEIGHT, Math.floor(height));
    return { columns, rowHeight, size: Math.min(width, rowHeight * RATIO), isWhole: height >= LEAST_HEIGHT };
  });
  const whole = shapes.filter(({ isWhole }) => isWhole);
  const [best] = (whole.length > 0 ? whole : shapes).sort((a, b) => b.size - a.size);
  return { columns: best?.columns ?? 1, rowHeight: best?.rowHeight ?? LEAST_HEIGHT };
}
