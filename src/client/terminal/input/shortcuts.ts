// What the few keys do that are the terminal's and not the program's.
import { FONT_SIZES } from "../picture/font.ts";
import type { Screen } from "../screen/screen.ts";
import type { ScrollKey, Shortcut } from "./keyboard.ts";

export interface ShortcutOptions {
  onLeave(): void;
  onFind(): void;
  onRead(): void;
  onFontSize(size: number): void;
}

export function createShortcuts(screen: Screen, copy: () => void, options: ShortcutOptions) {
  return {
    onShortcut(shortcut: Shortcut): void {
      const { font, selection } = screen;
      if (shortcut === "copy") copy();
      else if (shortcut === "copy-and-deselect") {
        copy();
        selection.clear();
      } else if (shortcut === "find") options.onFind();
      else if (shortcut === "read") options.onRead();
      else if (shortcut === "leave") options.onLeave();
      else if (shortcut === "select-all") selection.selectAll();
      else {
        const size =
          shortcut === "default-size" ? FONT_SIZES.default : font.size + (shortcut === "larger" ? 1 : -1);
        options.onFontSize(Math.max(FONT_SIZES.least, Math.min(FONT_SIZES.most, size)));
      }
      screen.draw();
    },
    onScroll(key: ScrollKey): void {
      const { rows } = screen.emulator.size();
      if (key === "top") screen.scroll.to(0);
      else if (key === "bottom") screen.scroll.follow();
      else screen.scroll.by(key === "page-up" ? 1 - rows : rows - 1);
      screen.draw();
    },
  };
}
