import type { Size } from "../engine/lines.ts";
import { type Box, scaleOf } from "./fit.ts";
import { type Font, measureFont } from "./font.ts";

/** Below this, scaling the picture looks just as good. */
const LEAST_PX = 4;
const STEP_PX = 0.5;

/** The largest font, up to the chosen one, in which all of a terminal fits its box unscaled. */
export function createFontFitter() {
  let last = "";
  let fitting: { of: Font; font: Font } | undefined;

  return (chosen: Font, box: Box, size: Size): Font => {
    const key = [box.width, box.height, size.cols, size.rows].join();
    if (fitting?.of !== chosen || key !== last) {
      last = key;
      fitting = { of: chosen, font: fit(chosen, box, size) };
    }
    return fitting.font;
  };
}

function fit(chosen: Font, box: Box, size: Size): Font {
  const scale = scaleOf(box, size, chosen);
  if (scale === 1) return chosen;
  // A cell has whole pixels, so the first guess may be too small as well as too large.
  let px = Math.min(chosen.size, Math.ceil((chosen.size * scale) / STEP_PX) * STEP_PX + STEP_PX);
  for (; px > LEAST_PX; px -= STEP_PX) {
    const font = measureFont(px, chosen.ratio);
    if (scaleOf(box, size, font) === 1) return font;
  }
  return measureFont(LEAST_PX, chosen.ratio);
}
