import { expect, test } from "bun:test";
import fc from "fast-check";
import { shapeOf, TILE_GAP } from "../../../../src/client/features/terminals/shape.ts";

const desk = { width: 1372, height: 832 };

test("a few tiles share the room in the form of terminals", () => {
  expect([1, 2, 4, 6, 9, 12].map((count) => shapeOf(desk, count).columns)).toEqual([1, 2, 2, 3, 3, 4]);
});

test("all of them are to be seen where each can still be read, else they scroll", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 300, max: 4_000 }),
      fc.integer({ min: 200, max: 2_500 }),
      fc.integer({ min: 0, max: 60 }),
      (width, height, count) => {
        const { columns, rowHeight } = shapeOf({ width, height }, count);
        const rows = Math.max(1, Math.ceil(count / columns));
        const tileWidth = (width - (columns - 1) * TILE_GAP) / columns;
        expect(columns).toBeGreaterThanOrEqual(1);
        expect(columns).toBeLessThanOrEqual(Math.max(count, 1));
        expect(rowHeight).toBeGreaterThanOrEqual(170);
        if (columns > 1) expect(tileWidth).toBeGreaterThanOrEqual(260);
        const isWhole = rows * rowHeight + (rows - 1) * TILE_GAP <= height;
        if (!isWhole)
          expect(tileWidth).toBeLessThan(columns === count ? Number.POSITIVE_INFINITY : 2 * 260 + TILE_GAP);
      },
    ),
  );
});
