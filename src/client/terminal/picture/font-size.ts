import { createStore } from "../../shared/stores/store.ts";
import { FONT_SIZES } from "./font.ts";

const KEY = "banto.terminal.font-size";

function read(): number {
  const saved = Number(localStorage.getItem(KEY));
  return saved >= FONT_SIZES.least && saved <= FONT_SIZES.most ? saved : FONT_SIZES.default;
}

/** For all terminals in this browser. */
export const fontSize = createStore(read());

export function setFontSize(size: number): void {
  localStorage.setItem(KEY, String(size));
  fontSize.set(size);
}
