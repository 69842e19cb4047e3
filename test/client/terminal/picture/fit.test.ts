import { expect, test } from "bun:test";
import fc from "fast-check";
import { fittingSize, PADDING, scaleOf } from "../../../../src/client/terminal/picture/fit.ts";
import type { Font } from "../../../../src/client/terminal/picture/font.ts";

const fontOf = (width: number, height: number) => ({ width, height, ratio: 1 }) as Font;
const boxes = fc.record({
  width: fc.integer({ min: 40, max: 4_000 }),
  height: fc.integer({ min: 40, max: 2_500 }),
});

test("what fits fills the box without being scaled", () => {
  fc.assert(
    fc.property(boxes, (box) => {
      const font = fontOf(8, 16);
      const size = fittingSize(box, font);
      expect(scaleOf(box, size, font)).toBe(1);
      if (size.cols < 500) expect(box.width - 2 * PADDING - size.cols * 8).toBeLessThan(8);
      if (size.rows < 300) expect(box.height - 2 * PADDING - size.rows * 16).toBeLessThan(16);
    }),
  );
});

test("in a tile there are 80 columns at least, and the rows that then have room", () => {
  fc.assert(
    fc.property(boxes, (box) => {
      const font = fontOf(8, 16);
      const size = fittingSize(box, font, 80);
      expect(size.cols).toBeGreaterThanOrEqual(80);
      const scale = scaleOf(box, size, font);
      const narrow = (box.width - 2 * PADDING) / 640;
      if (narrow >= 1) expect(scale).toBe(1);
      else if (size.rows > 1) expect(scale).toBeCloseTo(narrow, 6);
    }),
  );
});
