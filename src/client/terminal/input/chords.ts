// The few keys that the terminal keeps for itself, and what they do.
import { FONT_SIZES } from "../picture/font.ts";
import type { Screen } from "../screen.ts";
import type { Chord, Scroll } from "./keyboard.ts";

export interface ChordOptions {
  onLeave(): void;
  onFind(): void;
  onRead(): void;
  onFontSize(size: number): void;
}

export function createChords(screen: Screen, copy: () => void, options: ChordOptions) {
  return {
    onChord(chord: Chord): void {
      const { font, selection } = screen;
      if (chord === "copy") copy();
      else if (chord === "copy-and-unmark") {
        copy();
        selection.clear();
      } else if (chord === "find") options.onFind();
      else if (chord === "read") options.onRead();
      else if (chord === "leave") options.onLeave();
      else if (chord === "select-all") selection.all();
      else {
        const size = chord === "usual-size" ? FONT_SIZES.usual : font.size + (chord === "larger" ? 1 : -1);
        options.onFontSize(Math.max(FONT_SIZES.least, Math.min(FONT_SIZES.most, size)));
      }
      screen.draw();
    },
    onScroll(scroll: Scroll): void {
      const { rows } = screen.emulator.size();
      if (scroll === "top") screen.scroll.to(0);
      else if (scroll === "bottom") screen.scroll.follow();
      else screen.scroll.by(scroll === "page-up" ? 1 - rows : rows - 1);
      screen.draw();
    },
  };
}
