import { expect, test } from "bun:test";
import { drawGlyph, isDrawn } from "../../../../src/client/terminal/picture/glyphs.ts";
import { drawSign, isSign } from "../../../../src/client/terminal/picture/symbols.ts";

const CELL = { x: 80, y: 160, width: 8, height: 16 };

/** What a canvas is asked to paint, and how far that reaches. */
function recorder() {
  const reach = { left: Number.POSITIVE_INFINITY, right: 0, top: Number.POSITIVE_INFINITY, bottom: 0 };
  let painted = 0;
  let path: [number, number, number][] = [];
  const paint = (margin: number) => () => {
    painted += 1;
    for (const [x, y, r] of path) {
      reach.left = Math.min(reach.left, x - r - margin);
      reach.right = Math.max(reach.right, x + r + margin);
      reach.top = Math.min(reach.top, y - r - margin);
      reach.bottom = Math.max(reach.bottom, y + r + margin);
    }
  };
  const context = {
    fillStyle: "red",
    strokeStyle: "",
    lineWidth: 0,
    beginPath() {
      path = [];
    },
    lineTo: (x: number, y: number) => path.push([x, y, 0]),
    arc: (x: number, y: number, r: number) => path.push([x, y, r]),
    fill: paint(0),
    stroke: () => paint(context.lineWidth / 2)(),
  };
  return { context: context as unknown as CanvasRenderingContext2D, reach, painted: () => painted };
}

for (const sign of "●❯☐✻⏺☑☒✓✔✗▶◆○✳✶✽✢⏵⏸") {
  test(`${sign} is drawn, and no wider than its one cell`, () => {
    const codepoint = sign.codePointAt(0) ?? 0;
    expect(isSign(codepoint)).toBe(true);
    const { context, reach, painted } = recorder();
    drawSign(context, codepoint, CELL, CELL.width);
    expect(painted()).toBeGreaterThan(0);
    expect(reach.left).toBeGreaterThanOrEqual(CELL.x);
    expect(reach.right).toBeLessThanOrEqual(CELL.x + CELL.width);
    expect(reach.top).toBeGreaterThanOrEqual(CELL.y);
    expect(reach.bottom).toBeLessThanOrEqual(CELL.y + CELL.height);
    const off = (reach.left + reach.right - CELL.width) / 2 - CELL.x;
    expect(Math.abs(off)).toBeLessThanOrEqual(0.5);
    expect(context.strokeStyle).toBe("red");
  });
}

test("in a cell of eight pixels, lines are sharp, and the arms of an asterisk stand apart", () => {
  for (const sign of "☐☒□") {
    const { context, reach } = recorder();
    drawSign(context, sign.codePointAt(0) ?? 0, CELL, CELL.width);
    expect(Object.values(reach).map((edge) => edge % 1)).toEqual([0, 0, 0, 0]);
  }
  for (const sign of "✢✳✶✻✽") {
    const { context, reach } = recorder();
    drawSign(context, sign.codePointAt(0) ?? 0, CELL, CELL.width);
    expect(context.lineWidth).toBe(1);
    expect(reach.bottom - reach.top).toBeGreaterThan(5);
  }
});

test("a prompt's ❯ is as tall as a letter", () => {
  const { context, reach } = recorder();
  drawSign(context, "❯".codePointAt(0) ?? 0, CELL, CELL.width);
  expect(reach.bottom - reach.top).toBeGreaterThan(CELL.height / 2);
});

test("the ⎿ before a tool's output is drawn as a corner: from the top of its cell to the right", () => {
  const codepoint = "⎿".codePointAt(0) ?? 0;
  expect(isDrawn(codepoint)).toBe(true);
  const rectangles: [number, number, number, number][] = [];
  const fillRect = (...rectangle: [number, number, number, number]) => rectangles.push(rectangle);
  drawGlyph({ fillRect } as unknown as CanvasRenderingContext2D, codepoint, CELL, 1);
  const pixels = new Set<string>();
  for (const [x, y, width, height] of rectangles) {
    for (let right = 0; right < width; right += 1)
      for (let down = 0; down < height; down += 1) pixels.add(`${x + right - CELL.x},${y + down - CELL.y}`);
  }
  const corner = new Set<string>();
  for (let y = 0; y <= 7; y += 1) corner.add(`3,${y}`);
  for (let x = 3; x < CELL.width; x += 1) corner.add(`${x},7`);
  expect(pixels).toEqual(corner);
});

test("letters and wide characters are the font's", () => {
  for (const letter of "xß…─漢😀") expect(isSign(letter.codePointAt(0) ?? 0)).toBe(false);
});
