import type { Screen } from "../screen/screen.ts";
import type { MouseReports } from "./mouse-reports.ts";

const LINES_PER_NOTCH = 3;
/** In physical pixels. Some wheels report a little less. */
const PIXELS_PER_NOTCH = 120;
const LEAST_PIXELS = 100;

/** For browsers that report lines or pages. */
const linesOf = ({ deltaMode, deltaY }: WheelEvent, rows: number) =>
  deltaMode === WheelEvent.DOM_DELTA_PAGE ? deltaY * rows : deltaY;

/** Programs count notches. undefined for a wheel that turns smoothly. */
function notchesOf(event: WheelEvent, rows: number): number | undefined {
  const isPixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL;
  const turned = isPixels ? event.deltaY * devicePixelRatio : linesOf(event, rows);
  if (Math.abs(turned) < (isPixels ? LEAST_PIXELS : 1)) return undefined;
  const notches = Math.round(Math.abs(turned) / (isPixels ? PIXELS_PER_NOTCH : LINES_PER_NOTCH));
  return Math.sign(turned) * Math.max(1, notches);
}

export function createWheelListener({ emulator, cursorBox }: Screen, { isWanted, roll }: MouseReports) {
  /** A fraction of a line. */
  let rest = 0;
  return (event: WheelEvent): void => {
    if (event.ctrlKey || event.metaKey) return; // the browser's zoom
    event.preventDefault();
    const { rows } = emulator.size();
    const isPixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL;
    const notches = notchesOf(event, rows);
    if (notches !== undefined && (isPixels || isWanted(event))) {
      rest = 0;
      roll(event, isWanted(event) ? notches : notches * LINES_PER_NOTCH);
      return;
    }
    rest += isPixels ? event.deltaY / cursorBox().height : linesOf(event, rows);
    const lines = Math.trunc(rest);
    rest -= lines;
    if (lines !== 0) roll(event, lines);
  };
}
