// The mouse and fingers on a terminal.
import type { Screen } from "../screen/screen.ts";
import type { StatusStore } from "../status.ts";
import { listenToMouse } from "./mouse.ts";
import { createMouseActions } from "./mouse-actions.ts";
import { createMouseReports } from "./mouse-reports.ts";
import { listenToTouch } from "./touch.ts";
import { createTouchActions } from "./touch-actions.ts";

interface PointerParts {
  screen: Screen;
  status: StatusStore;
  box: HTMLElement;
  canvas: HTMLCanvasElement;
  focus(): void;
  /** A phone's keyboard, which may have been put away while the terminal has the focus. */
  showKeyboard(): void;
  setFontSize(size: number): void;
  type(text: string): void;
  /** Latin-1, one character per byte. */
  report(bytes: string): void;
}

/** Returns how to stop. */
export function listenToPointerAndTouch(parts: PointerParts): () => void {
  const { screen, box } = parts;
  const { actions, stopAutoscroll } = createMouseActions(parts);
  const reports = createMouseReports(screen.emulator, actions);
  const stops = [
    listenToMouse(box, screen.emulator, actions, reports),
    listenToTouch(box, createTouchActions({ ...parts, actions, reports })),
    stopAutoscroll,
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
