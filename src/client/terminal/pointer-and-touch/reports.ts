// Tells a program of the mouse and the wheel where it asked for them; else scrolls.
import type { Emulator } from "../engine/emulator.ts";
import { encodeMouse, encoding, type MouseReport, tracking } from "./mouse-report.ts";

/** Where something happened in the window, and what was held. */
export interface Spot {
  clientX: number;
  clientY: number;
  shiftKey: boolean;
  altKey: boolean;
  ctrlKey: boolean;
}

export interface ReportEvents {
  /** Latin-1, one character per byte. */
  onReport(bytes: string): void;
  /** Arrow keys, for a program that fills the screen and has no mouse. */
  onArrows(lines: number): void;
  onScroll(lines: number): void;
  /** Where a pointer is, in cells. The row is that of the screen, from 0. */
  locate(x: number, y: number): { col: number; row: number; x: number; y: number };
}

export function createReports(emulator: Emulator, events: ReportEvents) {
  /** Holding Shift always means the terminal itself. */
  const isTold = ({ shiftKey }: Pick<Spot, "shiftKey">) => !shiftKey && tracking(emulator.mode) !== "none";
  const tell = (spot: Spot, kind: MouseReport["kind"], button: number) => {
    const { col, row, x, y } = events.locate(spot.clientX, spot.clientY);
    const { shiftKey, altKey, ctrlKey } = spot;
    const report = { kind, button, col, row, x, y, shiftKey, altKey, ctrlKey };
    const bytes = encodeMouse(report, tracking(emulator.mode), encoding(emulator.mode));
    if (bytes !== undefined) events.onReport(bytes);
  };
  return {
    isTold,
    tell,
    /** By lines, down being positive. */
    roll(spot: Spot, lines: number): void {
      if (isTold(spot)) {
        for (let i = 0; i < Math.abs(lines); i++) tell(spot, "wheel", lines < 0 ? 0 : 1);
      } else if (emulator.isAlternate() && emulator.mode(1007)) events.onArrows(lines);
      else events.onScroll(lines);
    },
  };
}
