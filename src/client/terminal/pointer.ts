// The mouse and the wheel on the terminal: for the program when it asked for them, else to mark, scroll
// and open links. Fingers are touch.ts's.
import type { Emulator } from "./emulator.ts";
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
      const unit =
        event.deltaMode === WheelEvent.DOM_DELTA_LINE
          ? 1
          : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
            ? emulator.size().rows
            : 1 / events.cellHeight();
      wheel += event.deltaY * unit;
      const lines = Math.trunc(wheel);
      wheel -= lines;
      // A wheel with notches turns further than its pixels say; a program counts notches.
      const isNotch = Math.abs(event.deltaY) >= 100 && event.deltaMode === WheelEvent.DOM_DELTA_PIXEL;
      if (isNotch) wheel = 0;
      const notches = Math.sign(lines) * Math.max(1, Math.round(Math.abs(event.deltaY) / 120));
      if (lines === 0) return;
      if (isNotch && isTold(event)) roll(event, notches);
      else roll(event, isNotch ? notches * LINES_PER_NOTCH : lines);
    },
    false,
  );
  return () => stop.abort();
}
