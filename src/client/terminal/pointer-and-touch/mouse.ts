// The mouse and the wheel: for the program if it asked for them, else to select, scroll and open links.
import type { Emulator } from "../engine/emulator.ts";
import type { Place } from "../screen/screen.ts";
import type { MouseReports, ReportEvents } from "./mouse-reports.ts";

export interface MouseActions extends ReportEvents {
  focus(): void;
  onPress(place: Place, clicks: number, isExtending: boolean): void;
  /** `y` is the window's, and may be outside the terminal. */
  onDrag(place: Place, y: number): void;
  /** The button is up; `isClick` when it never moved. */
  onRelease(isClick: boolean, isLinkClick: boolean): void;
  onHover(place: Place | undefined): void;
  /** The cell at a point of the window. The row is the screen's, from 0. */
  locate(x: number, y: number): { place: Place; col: number; row: number; x: number; y: number };
  cellHeight(): number;
}

const NO_BUTTON = 3;
const LINES_PER_NOTCH = 3;
/** In physical pixels. Some wheels report a little less. */
const PIXELS_PER_NOTCH = 120;
const LEAST_PIXELS = 100;

/** For browsers that report lines or pages. */
const linesOf = ({ deltaMode, deltaY }: WheelEvent, rows: number) =>
  deltaMode === WheelEvent.DOM_DELTA_PAGE ? deltaY * rows : deltaY;

/** Programs count notches. undefined: the wheel turns smoothly. */
function notchesOf(event: WheelEvent, rows: number): number | undefined {
  const isPixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL;
  const turned = isPixels ? event.deltaY * devicePixelRatio : linesOf(event, rows);
  if (Math.abs(turned) < (isPixels ? LEAST_PIXELS : 1)) return undefined;
  const notches = Math.round(Math.abs(turned) / (isPixels ? PIXELS_PER_NOTCH : LINES_PER_NOTCH));
  return Math.sign(turned) * Math.max(1, notches);
}

export function listenToMouse(
  surface: HTMLElement,
  emulator: Emulator,
  actions: MouseActions,
  { isWanted, report, roll }: MouseReports,
): () => void {
  const stop = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    act: (event: HTMLElementEventMap[K]) => void,
    passive = true,
  ) => surface.addEventListener(type, act, { signal: stop.signal, passive });
  let held: number | undefined;
  let isSelecting = false;
  let hasMoved = false;
  let lastCell = "";
  let wheel = 0;
  const isLinkClick = ({ ctrlKey, metaKey }: MouseEvent) => ctrlKey || metaKey;

  on("pointerdown", (event) => {
    hasMoved = false;
    if (event.pointerType !== "touch") surface.setPointerCapture(event.pointerId);
  });
  // Follows pointerdown, and knows the number of clicks.
  on(
    "mousedown",
    (event) => {
      // A click must not take the focus from the input field.
      event.preventDefault();
      actions.focus();
      held = event.button;
      isSelecting = event.button === 0 && (!isWanted(event) || isLinkClick(event));
      const { place } = actions.locate(event.clientX, event.clientY);
      if (isSelecting) actions.onPress(place, event.detail, event.shiftKey);
      else if (isWanted(event)) report(event, "press", event.button);
    },
    false,
  );
  on("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const { place, col, row } = actions.locate(event.clientX, event.clientY);
    if (isSelecting) {
      hasMoved ||= event.movementX !== 0 || event.movementY !== 0;
      if (hasMoved) actions.onDrag(place, event.clientY);
      return;
    }
    actions.onHover(place);
    const cell = `${col},${row}`;
    if (cell === lastCell || !isWanted(event)) return;
    lastCell = cell;
    report(event, "move", held ?? NO_BUTTON);
  });
  const release = (event: PointerEvent) => {
    if (held === undefined) return;
    held = undefined;
    if (isSelecting) actions.onRelease(!hasMoved, isLinkClick(event));
    else if (isWanted(event)) report(event, "release", event.button);
    isSelecting = false;
  };
  on("pointerup", release);
  on("pointercancel", release);
  on("pointerleave", () => actions.onHover(undefined));
  // A program that gets the mouse also gets its right button.
  on("contextmenu", (event) => isWanted(event) && event.preventDefault(), false);

  on(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.metaKey) return; // the browser's zoom
      event.preventDefault();
      const { rows } = emulator.size();
      const isPixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL;
      const notches = notchesOf(event, rows);
      if (notches !== undefined && (isPixels || isWanted(event))) {
        wheel = 0;
        roll(event, isWanted(event) ? notches : notches * LINES_PER_NOTCH);
        return;
      }
      wheel += isPixels ? event.deltaY / actions.cellHeight() : linesOf(event, rows);
      const lines = Math.trunc(wheel);
      wheel -= lines;
      if (lines !== 0) roll(event, lines);
    },
    false,
  );
  return () => stop.abort();
}
