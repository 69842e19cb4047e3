// The mouse and the wheel on the terminal: for the program when it asked for them, else to mark, scroll
// and open links. Fingers are touch.ts's.
import type { Emulator } from "../engine/emulator.ts";
import type { createReports, ReportEvents } from "./reports.ts";

export interface Place {
  /** Line from the oldest, and column. */
  line: number;
  col: number;
  /** Between which cells the pointer is: a mark begins and ends there. */
  edge: number;
}

export interface PointerEvents extends ReportEvents {
  /** Somebody means this terminal. */
  onTouch(): void;
  onPress(place: Place, clicks: number, isExtending: boolean): void;
  /** `y` in the window, which may be outside. */
  onDrag(place: Place, y: number): void;
  /** The button is up; `isClick` when it never moved. */
  onRelease(isClick: boolean, isLinkClick: boolean): void;
  onHover(place: Place | undefined): void;
  /** Where a pointer is, in cells. The row is that of the screen, from 0. */
  locate(x: number, y: number): { place: Place; col: number; row: number; x: number; y: number };
  cellHeight(): number;
}

const NO_BUTTON = 3;
const LINES_PER_NOTCH = 3;
/** Of the display's own pixels, however it is scaled; some wheels say a little less. */
const PIXELS_PER_NOTCH = 120;
const LEAST_PIXELS = 100;

/** Where the browser tells lines or pages. */
const linesOf = ({ deltaMode, deltaY }: WheelEvent, rows: number) =>
  deltaMode === WheelEvent.DOM_DELTA_PAGE ? deltaY * rows : deltaY;

/** A program counts notches, and a wheel that has them turns further than its pixels say. undefined: it turns smoothly. */
function notchesOf(event: WheelEvent, rows: number): number | undefined {
  const isPixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL;
  const turned = isPixels ? event.deltaY * devicePixelRatio : linesOf(event, rows);
  if (Math.abs(turned) < (isPixels ? LEAST_PIXELS : 1)) return undefined;
  const notches = Math.round(Math.abs(turned) / (isPixels ? PIXELS_PER_NOTCH : LINES_PER_NOTCH));
  return Math.sign(turned) * Math.max(1, notches);
}

export function listenToPointer(
  surface: HTMLElement,
  emulator: Emulator,
  events: PointerEvents,
  { isTold, tell, roll }: ReturnType<typeof createReports>,
): () => void {
  const stop = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    act: (event: HTMLElementEventMap[K]) => void,
    passive = true,
  ) => surface.addEventListener(type, act, { signal: stop.signal, passive });
  let held: number | undefined;
  let isMarking = false;
  let hasMoved = false;
  let lastCell = "";
  let wheel = 0;
  const isLinkClick = ({ ctrlKey, metaKey }: MouseEvent) => ctrlKey || metaKey;

  on("pointerdown", (event) => {
    hasMoved = false;
    if (event.pointerType !== "touch") surface.setPointerCapture(event.pointerId);
  });
  // Comes after pointerdown, and knows how often it was clicked.
  on(
    "mousedown",
    (event) => {
      // The keyboard stays with the terminal, wherever in it one clicks.
      event.preventDefault();
      events.onTouch();
      held = event.button;
      isMarking = event.button === 0 && (!isTold(event) || isLinkClick(event));
      const { place } = events.locate(event.clientX, event.clientY);
      if (isMarking) events.onPress(place, event.detail, event.shiftKey);
      else if (isTold(event)) tell(event, "press", event.button);
    },
    false,
  );
  on("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const { place, col, row } = events.locate(event.clientX, event.clientY);
    if (isMarking) {
      hasMoved ||= event.movementX !== 0 || event.movementY !== 0;
      if (hasMoved) events.onDrag(place, event.clientY);
      return;
    }
    events.onHover(place);
    const cell = `${col},${row}`;
    if (cell === lastCell || !isTold(event)) return;
    lastCell = cell;
    tell(event, "move", held ?? NO_BUTTON);
  });
  const release = (event: PointerEvent) => {
    if (held === undefined) return;
    held = undefined;
    if (isMarking) events.onRelease(!hasMoved, isLinkClick(event));
    else if (isTold(event)) tell(event, "release", event.button);
    isMarking = false;
  };
  on("pointerup", release);
  on("pointercancel", release);
  on("pointerleave", () => events.onHover(undefined));
  // A program that has the mouse has its right button too.
  on("contextmenu", (event) => isTold(event) && event.preventDefault(), false);

  on(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.metaKey) return; // the browser's zoom
      event.preventDefault();
      const { rows } = emulator.size();
      const isPixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL;
      const notches = notchesOf(event, rows);
      if (notches !== undefined && (isPixels || isTold(event))) {
        wheel = 0;
        roll(event, isTold(event) ? notches : notches * LINES_PER_NOTCH);
        return;
      }
      wheel += isPixels ? event.deltaY / events.cellHeight() : linesOf(event, rows);
      const lines = Math.trunc(wheel);
      wheel -= lines;
      if (lines !== 0) roll(event, lines);
    },
    false,
  );
  return () => stop.abort();
}
