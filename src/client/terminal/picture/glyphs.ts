// Draws box-drawing lines and blocks, as a font's own leave gaps between rows.

interface Cell {
  x: number;
  y: number;
  width: number;
  height: number;
}

const HEAVY = 2;
const DOUBLE = 3;

/** Arms of U+2500–257F and one more: left, right, up, down; 0 none, 1 light, 2 heavy, 3 double. The font draws those that are missing. */
const ARMS: Record<number, string> = {};
const arms = (first: number, table: string) => {
  for (const [i, entry] of table.split(" ").entries()) if (entry !== "-") ARMS[first + i] = entry;
};
arms(0x2500, "1100 2200 0011 0022");
arms(0x250c, "0101 0201 0102 0202 1001 2001 1002 2002 0110 0210 0120 0220 1010 2010 1020 2020");
arms(0x251c, "0111 0211 0121 0112 0122 0221 0212 0222 1011 2011 1021 1012 1022 2021 2012 2022");
arms(0x252c, "1101 2101 1201 2201 1102 2102 1202 2202 1110 2110 1210 2210 1120 2120 1220 2220");
arms(0x253c, "1111 2111 1211 2211 1121 1112 1122 2121 1221 2112 1212 2221 2212 2122 1222 2222");
arms(0x2550, "3300 0033 0301 0103 0303 3001 1003 3003 0310 0130 0330 3010 1030 3030 0311 0133 0333");
arms(0x2561, "3011 1033 3033 3301 1103 3303 3310 1130 3330 3311 1133 3333");
// The corner before a tool's output in Claude Code; few fonts have it.
arms(0x23bf, "0110");
arms(0x2574, "1000 0010 0100 0001 2000 0020 0200 0002 1200 0012 2100 0021");

/** Rounded corners, by where their ends are. */
const ARCS: Record<number, readonly [number, number]> = {
  9581: [1, 1],
  9582: [-1, 1],
  9583: [-1, -1],
  9584: [1, -1],
};

const SHADES: Record<number, number> = { 9617: 0.25, 9618: 0.5, 9619: 0.75 };
/** Bits of U+2596–259F: upper left, upper right, lower left, lower right. */
const QUADRANTS = [0b0010, 0b0001, 0b1000, 0b1011, 0b1001, 0b1110, 0b1101, 0b0100, 0b0110, 0b0111];

export const isDrawn = (codepoint: number) =>
  (codepoint >= 0x2580 && codepoint <= 0x259f) ||
  ARMS[codepoint] !== undefined ||
  ARCS[codepoint] !== undefined;

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** In the context's current fill style. */
export function drawGlyph(context: Context, codepoint: number, cell: Cell, ratio: number): void {
  if (ARCS[codepoint] !== undefined) drawArc(context, ARCS[codepoint], cell, ratio);
  else if (codepoint < 0x2580) drawArms(context, ARMS[codepoint] ?? "", cell, ratio);
  else drawBlock(context, codepoint, cell);
}

/**
 * How far an arm goes where the others meet it, in lines: 0 to the near one of a double line, 1 to
 * the middle, 2 across. `side` is the arm that a lane of a double arm has beside it, `beyond` the
 * one on the lane's other side.
 */
function reach(weight: number, opposite: number, side: number, beyond: number): number {
  if (weight === DOUBLE) {
    if (side > 0) return side === DOUBLE ? 0 : 1;
    return opposite > 0 || beyond !== DOUBLE ? 1 : 2;
  }
  if (side === DOUBLE && beyond === DOUBLE) return opposite > 0 ? 1 : 0;
  return side >= HEAVY || beyond >= HEAVY ? 2 : 1;
}

function drawArms(context: Context, pattern: string, { x, y, width, height }: Cell, ratio: number): void {
  const [left = 0, right = 0, up = 0, down = 0] = [...pattern].map(Number);
  const line = Math.max(1, Math.round(ratio));
  const midX = x + Math.floor((width - line) / 2);
  const midY = y + Math.floor((height - line) / 2);
  const draw = (weight: number, opposite: number, before: number, after: number, put: Put) => {
    if (weight === 0) return;
    const lanes = weight === DOUBLE ? [-line, line] : [weight === HEAVY ? -line : 0];
    for (const lane of lanes) {
      const [side, beyond] = lane < 0 ? [before, after] : [after, before];
      put(lane, weight === HEAVY ? line * 3 : line, reach(weight, opposite, side, beyond) * line);
    }
  };
  draw(left, right, up, down, (lane, thick, far) => context.fillRect(x, midY + lane, midX + far - x, thick));
  draw(up, down, left, right, (lane, thick, far) => context.fillRect(midX + lane, y, thick, midY + far - y));
  draw(right, left, up, down, (lane, thick, far) => {
    const start = midX + line - far;
    context.fillRect(start, midY + lane, x + width - start, thick);
  });
  draw(down, up, left, right, (lane, thick, far) => {
    const start = midY + line - far;
    context.fillRect(midX + lane, start, thick, y + height - start);
  });
}

type Put = (lane: number, thickness: number, reach: number) => void;

function drawArc(context: Context, [toX, toY]: readonly [number, number], cell: Cell, ratio: number): void {
  const { x, y, width, height } = cell;
  const line = Math.max(1, Math.round(ratio));
  const midX = x + Math.floor((width - line) / 2) + line / 2;
  const midY = y + Math.floor((height - line) / 2) + line / 2;
  const endX = toX < 0 ? x : x + width;
  const endY = toY < 0 ? y : y + height;
  context.beginPath();
  context.moveTo(endX, midY);
  context.arcTo(midX, midY, midX, endY, Math.min(width, height) / 2);
  context.lineTo(midX, endY);
  context.lineWidth = line;
  context.strokeStyle = context.fillStyle;
  context.stroke();
}

function drawBlock(context: Context, codepoint: number, { x, y, width, height }: Cell): void {
  const shade = SHADES[codepoint];
  const eighth = (count: number, of: number) => Math.round((of * count) / 8);
  if (shade !== undefined) {
    const { globalAlpha } = context;
    context.globalAlpha = globalAlpha * shade;
    context.fillRect(x, y, width, height);
    context.globalAlpha = globalAlpha;
  } else if (codepoint === 0x2580) context.fillRect(x, y, width, eighth(4, height));
  else if (codepoint <= 0x2588) {
    const tall = eighth(codepoint - 0x2580, height);
    context.fillRect(x, y + height - tall, width, tall);
  } else if (codepoint <= 0x258f) context.fillRect(x, y, eighth(0x2590 - codepoint, width), height);
  else if (codepoint === 0x2590) context.fillRect(x + eighth(4, width), y, width - eighth(4, width), height);
  else if (codepoint === 0x2594) context.fillRect(x, y, width, eighth(1, height));
  else if (codepoint === 0x2595) context.fillRect(x + eighth(7, width), y, width - eighth(7, width), height);
  else drawQuadrants(context, QUADRANTS[codepoint - 0x2596] ?? 0, { x, y, width, height });
}

function drawQuadrants(context: Context, bits: number, { x, y, width, height }: Cell): void {
  const midX = Math.round(width / 2);
  const midY = Math.round(height / 2);
  if (bits & 0b1000) context.fillRect(x, y, midX, midY);
  if (bits & 0b0100) context.fillRect(x + midX, y, width - midX, midY);
  if (bits & 0b0010) context.fillRect(x, y + midY, midX, height - midY);
  if (bits & 0b0001) context.fillRect(x + midX, y + midY, width - midX, height - midY);
}
