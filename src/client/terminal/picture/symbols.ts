// Draws the signs that programs mark their lines with, one cell wide. The page's font has none of them, and another
// font's, above all a CJK one's, are two cells wide and would be squeezed.

/** In a square around the middle of the cell, from -1 to 1 each way. */
type Points = readonly (readonly [number, number])[];

interface Sign {
  /** Of the cell's width, half of it being 1. */
  size: number;
  fill?: readonly Points[];
  lines?: readonly Points[];
  disc?: boolean;
  ring?: boolean;
  /** In lines of the cell's usual thickness. */
  weight?: number;
}

const SQUARE: Points = [[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]; // biome-ignore format: a shape
const DIAMOND: Points = [[0, -1.2], [1, 0], [0, 1.2], [-1, 0], [0, -1.2]]; // biome-ignore format: a shape
const RIGHT: Points = [[-0.8, -1], [1, 0], [-0.8, 1]]; // biome-ignore format: a shape
const CHECK: Points = [[-0.9, 0.1], [-0.3, 0.8], [0.9, -0.8]]; // biome-ignore format: a shape
const CROSS: readonly Points[] = [[[-0.8, -0.8], [0.8, 0.8]], [[0.8, -0.8], [-0.8, 0.8]]]; // biome-ignore format: a shape
const CHEVRON: Points = [[-0.6, -1.45], [0.8, 0], [-0.6, 1.45]]; // biome-ignore format: a shape

const smaller = (points: Points, by: number): Points => points.map(([x, y]) => [x * by, y * by]);
const mirrored = (points: Points): Points => points.map(([x, y]) => [-x, y]);
const upward = (points: Points): Points => points.map(([x, y]) => [y, -x]);
const downward = (points: Points): Points => points.map(([x, y]) => [y, x]);
const spokes = (count: number): Points[] =>
  Array.from({ length: count / 2 }, (_, i) => {
    const angle = Math.PI / 2 + (i * 2 * Math.PI) / count;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    return [[x, y], [-x, -y]]; // biome-ignore format: a line
  });
const LEFT = mirrored(RIGHT);
const UP = upward(RIGHT);
const DOWN = downward(RIGHT);
const BARS: readonly Points[] = [[[-1, -1.5], [-1, 1.5]], [[1, -1.5], [1, 1.5]]]; // biome-ignore format: a shape

const SIGNS: Readonly<Record<string, Sign>> = {
  "●": { size: 0.8, disc: true },
  "⏺": { size: 0.9, disc: true },
  "○": { size: 0.75, ring: true },
  "◯": { size: 0.9, ring: true },
  "◉": { size: 0.9, ring: true, fill: [smaller(DIAMOND, 0.45)] },
  "■": { size: 0.75, fill: [SQUARE] },
  "□": { size: 0.75, lines: [SQUARE] },
  "▪": { size: 0.45, fill: [SQUARE] },
  "▫": { size: 0.45, lines: [SQUARE] },
  "◼": { size: 0.75, fill: [SQUARE] },
  "◻": { size: 0.75, lines: [SQUARE] },
  "⏹": { size: 0.75, fill: [SQUARE] },
  "☐": { size: 0.85, lines: [SQUARE] },
  "☑": { size: 0.85, lines: [SQUARE, smaller(CHECK, 0.75)] },
  "☒": { size: 0.85, lines: [SQUARE, ...CROSS] },
  "◆": { size: 0.8, fill: [DIAMOND] },
  "◇": { size: 0.8, lines: [DIAMOND] },
  "▶": { size: 0.85, fill: [RIGHT] },
  "►": { size: 0.85, fill: [RIGHT] },
  "▸": { size: 0.6, fill: [RIGHT] },
  "⏵": { size: 0.85, fill: [RIGHT] },
  "◀": { size: 0.85, fill: [LEFT] },
  "◄": { size: 0.85, fill: [LEFT] },
  "◂": { size: 0.6, fill: [LEFT] },
  "▲": { size: 0.85, fill: [UP] },
  "▴": { size: 0.6, fill: [UP] },
  "▼": { size: 0.85, fill: [DOWN] },
  "▾": { size: 0.6, fill: [DOWN] },
  "⏸": { size: 0.8, lines: BARS, weight: 2 },
  "❯": { size: 1, lines: [CHEVRON], weight: 1.6 },
  "❮": { size: 1, lines: [mirrored(CHEVRON)], weight: 1.6 },
  "✓": { size: 1, lines: [CHECK], weight: 1.5 },
  "✔": { size: 1, lines: [CHECK], weight: 2.2 },
  "✕": { size: 0.8, lines: CROSS, weight: 1.3 },
  "✗": { size: 0.9, lines: CROSS, weight: 1.3 },
  "✘": { size: 1, lines: CROSS, weight: 2 },
  "✢": { size: 0.9, lines: spokes(4) },
  "✳": { size: 0.9, lines: spokes(8) },
  "✶": { size: 0.8, lines: spokes(6) },
  "✻": { size: 1, lines: spokes(6), weight: 1.2 },
  "✽": { size: 1, lines: spokes(6), weight: 1.4 },
};

const signOf = (codepoint: number) => SIGNS[String.fromCodePoint(codepoint)];

export const isSign = (codepoint: number) => codepoint >= 0x23f0 && signOf(codepoint) !== undefined;

interface Cell {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** In the context's current fill style. `letter` is the width of one cell, the sign's own being two at times. */
export function drawSign(context: Context, codepoint: number, { x, y, width, height }: Cell, letter: number) {
  const sign = signOf(codepoint);
  if (sign === undefined) return;
  const { size, fill = [], lines = [], weight = 1 } = sign;
  // Whole pixels, and a middle that they lie around: in a cell of eight pixels, anything else is a blur.
  const line = Math.max(1, Math.round((letter / 8) * weight));
  const odd = lines.length > 0 ? (line % 2) / 2 : 0;
  const midX = Math.round(x + width / 2 - odd) + odd;
  const midY = Math.round(y + height / 2 - odd) + odd;
  // What is stroked ends half a line beyond its points.
  const edge = lines.length > 0 || sign.ring ? line / 2 : 0;
  const most = Math.min((letter / 2) * size, letter / 2 - odd) - edge;
  const radius = lines[0] === SQUARE || lines === BARS ? Math.round(most) : most;
  const trace = (points: Points) => {
    for (const [px, py] of points) context.lineTo(midX + px * radius, midY + py * radius);
  };
  context.lineWidth = line;
  context.strokeStyle = context.fillStyle;
  context.beginPath();
  if (sign.disc || sign.ring) context.arc(midX, midY, radius, 0, 2 * Math.PI);
  if (sign.disc) context.fill();
  if (sign.ring) context.stroke();
  for (const [shapes, paint] of [
    [fill, () => context.fill()],
    [lines, () => context.stroke()],
  ] as const) {
    for (const points of shapes) {
      context.beginPath();
      trace(points);
      paint();
    }
  }
}
