import { createStore } from "./store.ts";

const KEY = "banto.panel-width";

/** CSS pixels. A narrower terminal is of no use; the board keeps at least as much for itself. */
export const PANEL_WIDTH = { least: 380, board: 380 } as const;

export const widest = () => Math.max(PANEL_WIDTH.least, window.innerWidth - PANEL_WIDTH.board);

function read(): number | null {
  const saved = Number(localStorage.getItem(KEY));
  return Number.isFinite(saved) && saved >= PANEL_WIDTH.least ? saved : null;
}

/** As the person left it in this browser; null for the default, which depends on the window. */
export const panelWidth = createStore(read());

export function setPanelWidth(width: number | null) {
  const kept = width === null ? null : Math.round(Math.max(PANEL_WIDTH.least, Math.min(width, widest())));
  if (kept === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, String(kept));
  panelWidth.set(kept);
}
