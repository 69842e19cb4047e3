// What fingers do to a terminal: the mouse's part where the program has it, else marking and scrolling,
// and a menu for what a phone has no keys for.
import { PADDING } from "../picture/fit.ts";
import { FONT_SIZES } from "../picture/font.ts";
import type { Screen } from "../screen.ts";
import type { StatusStore } from "../status.ts";
import type { PointerEvents } from "./pointer.ts";
import type { createReports, Spot } from "./reports.ts";
import type { Point, TouchEvents } from "./touch.ts";

interface TouchGestureOptions {
  screen: Screen;
  box: HTMLElement;
  status: StatusStore;
  /** Marking goes on beyond the edge as it does with the mouse. */
  mouse: Pick<PointerEvents, "onDrag" | "onRelease" | "onScroll">;
  reports: ReturnType<typeof createReports>;
  /** Brings the keyboard up. */
  focus(): void;
  setFontSize(size: number): void;
}

/** How near to the end of a mark a finger takes hold of it, in cells. */
const GRAB = { lines: 1, cols: 3 };

const spotOf = ({ x, y }: Point): Spot => ({
  clientX: x,
  clientY: y,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
});

export function createTouchGestures(options: TouchGestureOptions): TouchEvents {
  const { screen, box, status, mouse, reports, focus, setFontSize } = options;
  const { selection } = screen;
  let startSize = FONT_SIZES.usual as number;
  const placeOf = ({ x, y }: Point) => screen.locate(x, y).place;

  const openMenu = ({ x, y }: Point) => {
    const { left, top } = box.getBoundingClientRect();
    const { width, height } = screen.cursorBox();
    const ends = selection.ends.map(({ line, col }) => ({
      x: PADDING + col * width,
      y: PADDING + (line - screen.scroll.top + 1) * height,
    }));
    const hasSelection = ends.length > 0;
    status.patch({ menu: { x: x - left, y: y - top, hasSelection, ends, link: screen.link?.address } });
  };
  /** What is marked and was scrolled can be meant again. */
  const isMarked = (at: Point) => {
    const { line, col } = placeOf(at);
    const span = selection.spanOf(line);
    return span !== undefined && span.start <= col && col < span.end;
  };
  const closeMenu = () => {
    status.patch({ menu: undefined });
    screen.hover(undefined);
  };

  return {
    onTap(at) {
      if (isMarked(at) && status.get().menu === undefined) {
        openMenu(at);
        return;
      }
      selection.clear();
      if (status.get().menu !== undefined) {
        closeMenu();
        return;
      }
      if (reports.isTold(spotOf(at))) {
        focus();
        reports.tell(spotOf(at), "press", 0);
        reports.tell(spotOf(at), "release", 0);
        return;
      }
      screen.hover(placeOf(at));
      // Nothing opens by accident: where it leads is read first.
      if (screen.link === undefined) focus();
      else openMenu(at);
    },
    onRoll(at, lines) {
      closeMenu();
      reports.roll(spotOf(at), lines);
    },
    onScroll(lines) {
      closeMenu();
      mouse.onScroll(lines);
    },
    onPinchStart() {
      startSize = screen.font.size;
    },
    onPinch(ratio) {
      const size = Math.round(startSize * ratio);
      const within = Math.max(FONT_SIZES.least, Math.min(FONT_SIZES.most, size));
      if (within !== screen.font.size) setFontSize(within);
    },
    onMark(at) {
      closeMenu();
      const { line, col } = placeOf(at);
      selection.start({ line, col }, "word");
      if (selection.text().trim() === "") selection.clear();
      screen.hover(placeOf(at));
      openMenu(at);
    },
    grabs(at) {
      if (status.get().menu === undefined) return false;
      const { line, edge } = placeOf(at);
      const isNear = (end: { line: number; col: number }) =>
        Math.abs(end.line - line) <= GRAB.lines && Math.abs(end.col - edge) <= GRAB.cols;
      if (!selection.grab(isNear)) return false;
      status.patch({ menu: undefined });
      return true;
    },
    onMarkTo(at) {
      status.patch({ menu: undefined });
      mouse.onDrag(placeOf(at), at.y);
    },
    onMarked(at) {
      mouse.onRelease(false, false);
      openMenu(at);
    },
    onUnmark() {
      closeMenu();
      selection.clear();
    },
    cellHeight: () => screen.cursorBox().height,
  };
}
