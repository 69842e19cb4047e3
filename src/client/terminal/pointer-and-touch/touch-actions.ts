// What fingers do: for a program that wants a mouse they are the mouse, otherwise they select and scroll, and open a
// menu for what phones have no keys for.
import { PADDING } from "../picture/fit.ts";
import { FONT_SIZES } from "../picture/font.ts";
import type { Screen } from "../screen/screen.ts";
import type { StatusStore } from "../status.ts";
import type { DragSelection } from "./drag-selection.ts";
import type { MouseReports, Spot } from "./mouse-reports.ts";
import type { Point, TouchEvents } from "./touch.ts";

interface TouchActionOptions {
  screen: Screen;
  box: HTMLElement;
  status: StatusStore;
  drag: DragSelection;
  reports: MouseReports;
  showKeyboard(): void;
  setFontSize(size: number): void;
}

/** How near, in cells, a finger must be to drag an end of the selection. */
const GRAB = { lines: 1, cols: 3 };

const spotOf = ({ x, y }: Point): Spot => ({
  clientX: x,
  clientY: y,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
});

export function createTouchActions(options: TouchActionOptions): TouchEvents & { openMenu(at: Point): void } {
  const { screen, box, status, drag, reports, showKeyboard, setFontSize } = options;
  const { selection } = screen;
  let startSize = FONT_SIZES.default as number;
  const placeOf = ({ x, y }: Point) => screen.locate(x, y).place;

  const openMenu = ({ x, y }: Point) => {
    const { left, top } = box.getBoundingClientRect();
    const { width, height } = screen.cursorBox();
    const ends = selection.ends.map(({ line, col }) => ({
      x: PADDING + col * width,
      y: PADDING + (line - screen.scroll.top + 1) * height,
    }));
    const hasSelection = ends.length > 0;
    const { link } = screen;
    const target = link && { address: link.address, claims: link.claims };
    status.patch({ menu: { x: x - left, y: y - top, hasSelection, ends, link: target } });
  };
  const isSelected = (at: Point) => {
    const { line, col } = placeOf(at);
    const span = selection.spanOf(line);
    return span !== undefined && span.start <= col && col < span.end;
  };
  const closeMenu = () => {
    status.patch({ menu: undefined });
    screen.hover(undefined);
  };

  return {
    openMenu,
    onTap(at) {
      if (isSelected(at) && status.get().menu === undefined) {
        openMenu(at);
        return;
      }
      selection.clear();
      if (status.get().menu !== undefined) {
        closeMenu();
        return;
      }
      if (reports.isWanted(spotOf(at))) {
        showKeyboard();
        reports.report(spotOf(at), "press", 0);
        reports.report(spotOf(at), "release", 0);
        return;
      }
      screen.hover(placeOf(at));
      // The menu shows where a link leads, so that nobody opens it by accident.
      if (screen.link === undefined) showKeyboard();
      else openMenu(at);
    },
    onRoll(at, lines) {
      closeMenu();
      reports.roll(spotOf(at), lines);
    },
    onScroll(lines) {
      closeMenu();
      screen.scroll.by(lines);
      screen.draw();
    },
    onPinchStart() {
      startSize = screen.font.size;
    },
    onPinch(ratio) {
      const size = Math.round(startSize * ratio);
      const within = Math.max(FONT_SIZES.least, Math.min(FONT_SIZES.most, size));
      if (within !== screen.font.size) setFontSize(within);
    },
    onLongPress(at) {
      closeMenu();
      const { line, col } = placeOf(at);
      selection.start({ line, col }, "word");
      if (selection.text().trim() === "") selection.clear();
      screen.hover(placeOf(at));
      openMenu(at);
    },
    isHandle(at) {
      if (status.get().menu === undefined) return false;
      const { line, edge } = placeOf(at);
      const isNear = (end: { line: number; col: number }) =>
        Math.abs(end.line - line) <= GRAB.lines && Math.abs(end.col - edge) <= GRAB.cols;
      if (!selection.grab(isNear)) return false;
      status.patch({ menu: undefined });
      return true;
    },
    onSelectTo(at) {
      status.patch({ menu: undefined });
      drag.to(placeOf(at), at.y);
    },
    onSelected(at) {
      drag.stop();
      openMenu(at);
    },
    onCancelLongPress() {
      closeMenu();
      selection.clear();
    },
    cellHeight: () => screen.cursorBox().height,
  };
}
