// What the terminal's own shortcuts do.
import { FONT_SIZES } from "../picture/font.ts";
import type { Screen } from "../screen/screen.ts";
import type { Shortcut } from "./keyboard.ts";

export interface ShortcutOptions {
  onLeave(): void;
  onFind(): void;
  onRead(): void;
  onFontSize(size: number): void;
}

export function createShortcuts(screen: Screen, copy: () => void, options: ShortcutOptions) {
  const { emulator, selection, scroll } = screen;
  const setFontSize = (size: number) =>
    options.onFontSize(Math.max(FONT_SIZES.least, Math.min(FONT_SIZES.most, size)));
  const actions: Record<Shortcut, () => void> = {
    copy,
    "copy-and-deselect": () => {
      copy();
      selection.clear();
    },
    "select-all": () => selection.selectAll(),
    find: options.onFind,
    read: options.onRead,
    leave: options.onLeave,
    larger: () => setFontSize(screen.font.size + 1),
    smaller: () => setFontSize(screen.font.size - 1),
    "default-size": () => setFontSize(FONT_SIZES.default),
    "page-up": () => scroll.by(1 - emulator.size().rows),
    "page-down": () => scroll.by(emulator.size().rows - 1),
    top: () => scroll.to(0),
    bottom: () => scroll.follow(),
  };
  return (shortcut: Shortcut): void => {
    actions[shortcut]();
    screen.draw();
  };
}
