import type { Emulator } from "../engine/emulator.ts";
import type { Overlay } from "../picture/row-painter.ts";

type Shape = NonNullable<Overlay["cursor"]>["shape"];

export interface CursorLook {
  /** undefined while it is not visible. */
  shape?: Shape;
  /** In how many milliseconds it appears or disappears. */
  blinksIn?: number;
}

const BLINK_MS = 600;
/** By DECSCUSR's number; the odd ones blink. */
const SHAPES: readonly Shape[] = ["block", "block", "block", "underline", "underline", "bar", "bar"];

export function cursorLook(emulator: Emulator, isFocused: boolean, now: number): CursorLook {
  const { cursorShape } = emulator;
  const shape: Shape = isFocused ? (SHAPES[cursorShape] ?? "block") : "hollow";
  const isBlinking =
    cursorShape % 2 === 1 && isFocused && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!emulator.isCursorVisible()) return {};
  if (!isBlinking) return { shape };
  const isLit = Math.floor(now / BLINK_MS) % 2 === 0;
  return { ...(isLit && { shape }), blinksIn: BLINK_MS - (now % BLINK_MS) };
}
