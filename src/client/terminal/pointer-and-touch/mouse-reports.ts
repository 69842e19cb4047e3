// Reports the mouse and the wheel to programs that ask for them.
import type { Screen } from "../screen/screen.ts";
import { encodeMouse, encoding, type MouseReport, tracking } from "./encode-mouse.ts";

/** A point of the window, and the modifiers that were held. */
export type Spot = Pick<MouseEvent, "clientX" | "clientY" | "shiftKey" | "altKey" | "ctrlKey">;

export type MouseReports = ReturnType<typeof createMouseReports>;

export function createMouseReports(
  { emulator, scroll, locate, draw }: Screen,
  type: (text: string) => void,
  send: (bytes: string) => void,
) {
  /** With Shift, the mouse always belongs to the terminal. */
  const isWanted = ({ shiftKey }: Pick<Spot, "shiftKey">) => !shiftKey && tracking(emulator.mode) !== "none";
  const report = (spot: Spot, kind: MouseReport["kind"], button: number) => {
    const { col, row, x, y } = locate(spot.clientX, spot.clientY);
    const { shiftKey, altKey, ctrlKey } = spot;
    const event = { kind, button, col, row, x, y, shiftKey, altKey, ctrlKey };
    const bytes = encodeMouse(event, tracking(emulator.mode), encoding(emulator.mode));
    if (bytes !== undefined) send(bytes);
  };
  return {
    isWanted,
    report,
    /** Positive lines are down. */
    roll(spot: Spot, lines: number): void {
      const count = Math.abs(lines);
      if (isWanted(spot)) for (let i = 0; i < count; i++) report(spot, "wheel", lines < 0 ? 0 : 1);
      else if (emulator.isAlternate() && emulator.mode(1007)) {
        // A program that fills the screen and doesn't want the mouse gets arrow keys.
        type(`\x1b${emulator.mode(1) ? "O" : "["}${lines < 0 ? "A" : "B"}`.repeat(count));
      } else {
        scroll.by(lines);
        draw();
      }
    },
  };
}
