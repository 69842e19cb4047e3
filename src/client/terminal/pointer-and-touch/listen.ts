// The mouse and fingers on a terminal.
import type { Screen } from "../screen/screen.ts";
import type { StatusStore } from "../status.ts";
import { createDragSelection } from "./drag-selection.ts";
import { listenToMouse } from "./mouse.ts";
import { createMouseReports } from "./mouse-reports.ts";
import { listenToTouch } from "./touch.ts";
import { createTouchActions } from "./touch-actions.ts";

interface PointerParts {
  screen: Screen;
  status: StatusStore;
  box: HTMLElement;
  canvas: HTMLCanvasElement;
  focus(): void;
  /** Shows a phone's keyboard, which may have been dismissed while the terminal has the focus. */
  showKeyboard(): void;
  setFontSize(size: number): void;
  type(text: string): void;
  /** Latin-1, one character per byte. */
  report(bytes: string): void;
}

/** Returns a function that stops it. */
export function listenToPointerAndTouch(parts: PointerParts): () => void {
  const { screen, status, box, canvas, focus } = parts;
  const drag = createDragSelection(screen, canvas);
  const reports = createMouseReports(screen, parts.type, parts.report);
  const touch = createTouchActions({ ...parts, drag, reports });
  const { openMenu } = touch;
  const closeMenu = () => status.patch({ menu: undefined });
  const stopMouse = listenToMouse({ surface: box, screen, reports, drag, focus, openMenu, closeMenu });
  const stopTouch = listenToTouch(box, touch);
  return () => {
    stopMouse();
    stopTouch();
    drag.stop();
  };
}
