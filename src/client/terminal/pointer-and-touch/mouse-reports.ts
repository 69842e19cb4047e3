// Reports the mouse and the wheel to a program that asked for them.
import type { Emulator } from "../engine/emulator.ts";
import { encodeMouse, encoding, type MouseReport, tracking } from "./encode-mouse.ts";

/** A point of the window, and the modifiers that were held. */
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
  /** The cell at a point of the window. The row is the screen's, from 0. */
  locate(x: number, y: number): { col: number; row: number; x: number; y: number };
}

export type MouseReports = ReturnType<typeof createMouseReports>;

export function createMouseReports(emulator: Emulator, events: ReportEvents) {
  /** With Shift, the mouse is always the terminal's. */
  const isWanted = ({ shiftKey }: Pick<Spot, "shiftKey">) => !shiftKey && tracking(emulator.mode) !== "none";
  const report = (spot: Spot, kind: MouseReport["kind"], button: number) => {
    const { col, row, x, y } = events.locate(spot.clientX, spot.clientY);
    const { shiftKey, altKey, ctrlKey } = spot;
    const event = { kind, button, col, row, x, y, shiftKey, altKey, ctrlKey };
    const bytes = encodeMouse(event, tracking(emulator.mode), encoding(emulator.mode));
    if (bytes !== undefined) events.onReport(bytes);
  };
  return {
    isWanted,
    report,
    /** Positive lines are down. */
    roll(spot: Spot, lines: number): void {
      if (isWanted(spot)) {
        for (let i = 0; i < Math.abs(lines); i++) report(spot, "wheel", lines < 0 ? 0 : 1);
      } else if (emulator.isAlternate() && emulator.mode(1007)) events.onArrows(lines);
      else events.onScroll(lines);
    },
  };
}
