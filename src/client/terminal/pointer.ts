// The mouse, the wheel and a finger on the terminal: for the program when it asked for them, else to
// mark, scroll and open links. Holding Shift always means the latter.
import type { Emulator } from "./emulator.ts";
import { encodeMouse, encoding, type MouseReport, tracking } from "./mouse-report.ts";

export interface Place {
  /** Line from the oldest, and column. */
  line: number;
  col: number;
  /** Between which cells the pointer is: a mark begins and ends there. */
  edge: number;
}

export interface PointerEvents {
  /** Somebody means this terminal. */
  onTouch(): void;
  /** Latin-1, one character per byte. */
  onReport(bytes: string): void;
  /** Arrow keys, for a program that fills the screen and has no mouse. */
  onArrows(lines: number): void;
  onScroll(lines: number): void;
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
/** A finger that moved less than this has tapped. */
const TAP_PX = 8;

export function listenToPointer(surface: HTMLElement, emulator: Emulator, events: PointerEvents): () => void {
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
  let touchY: number | undefined;

  const isTold = (event: MouseEvent) => !event.shiftKey && tracking(emulator.mode) !== "none";
  const tell = (event: MouseEvent, kind: MouseReport["kind"], button: number) => {
    const { col, row, x, y } = events.locate(event.clientX, event.clientY);
    const { shiftKey, altKey, ctrlKey } = event;
    const report = { kind, button, col, row, x, y, shiftKey, altKey, ctrlKey };
    const bytes = encodeMouse(report, tracking(emulator.mode), encoding(emulator.mode));
    if (bytes !== undefined) events.onReport(bytes);
  };
  const isLinkClick = ({ ctrlKey, metaKey }: MouseEvent) => ctrlKey || metaKey;

  on("pointerdown", (event) => {
    hasMoved = false;
    if (event.pointerType === "touch") touchY = event.clientY;
    else surface.setPointerCapture(event.pointerId);
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
    if (event.pointerType === "touch") {
      touchMove(event);
      return;
    }
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
    if (event.pointerType === "touch") {
      touchY = undefined; // a tap becomes a click of the mouse
      return;
    }
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

  const touchMove = (event: PointerEvent) => {
    if (touchY === undefined) return;
    const moved = touchY - event.clientY;
    if (Math.abs(moved) > TAP_PX) hasMoved = true;
    const lines = Math.trunc(moved / events.cellHeight());
    if (!hasMoved || lines === 0) return;
    touchY -= lines * events.cellHeight();
    roll(event, lines);
  };

  const roll = (event: MouseEvent, lines: number) => {
    if (isTold(event)) {
      for (let i = 0; i < Math.abs(lines); i++) tell(event, "wheel", lines < 0 ? 0 : 1);
    } else if (emulator.isAlternate() && emulator.mode(1007)) events.onArrows(lines);
    else events.onScroll(lines);
  };
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
