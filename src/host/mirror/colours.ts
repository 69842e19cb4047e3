// Writes a cell's colours and attributes for a snapshot.
import { BACKGROUND, FOREGROUND, PALETTE } from "../../vt/colours.ts";

const named = new Map(PALETTE.map((rgb, index) => [rgb, index]));

const ATTRIBUTES: readonly (readonly [bit: number, code: number])[] = [
  [1, 1], // bold
  [128, 2], // faint
  [2, 3], // italic
  [4, 4], // underline
  [64, 5], // blink
  [16, 7], // inverse
  [32, 8], // invisible
  [8, 9], // struck through
];

const colour = (rgb: number, base: 30 | 40) => {
  const index = named.get(rgb);
  if (index === undefined) return `${base + 8};2;${rgb >> 16};${(rgb >> 8) & 0xff};${rgb & 0xff}`;
  return String(index < 8 ? base + index : base + 60 + index - 8);
};

/** The whole pen as one sequence that starts with a reset, so that it doesn't depend on what was set before. */
export function selectPen(foreground: number, background: number, attributes: number): string {
  const codes = ["0"];
  for (const [bit, code] of ATTRIBUTES) if (attributes & bit) codes.push(String(code));
  if (foreground !== FOREGROUND) codes.push(colour(foreground, 30));
  if (background !== BACKGROUND) codes.push(colour(background, 40));
  return codes.length === 1 ? "\x1b[m" : `\x1b[${codes.join(";")}m`;
}
