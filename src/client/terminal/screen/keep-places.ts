import type { Emulator } from "../engine/emulator.ts";
import { trackLine } from "../engine/line-shift.ts";
import type { ScrollPosition } from "./scroll-position.ts";
import type { Selection } from "./selection.ts";

interface Places {
  emulator: Emulator;
  selection: Selection;
  scroll: ScrollPosition;
}

/** Call it before writing. Returns a function that puts the selection and the scroll position back on their lines. */
export function keepPlaces({ emulator, selection, scroll }: Places): () => void {
  const { top } = scroll;
  const [, end] = selection.ends;
  const selectionShift = end && trackLine(emulator, end.line);
  const bottom = top + emulator.size().rows - 1;
  const scrollShift = scroll.isFollowing ? undefined : trackLine(emulator, bottom);
  const history = emulator.historyLength();
  return () => {
    if (selectionShift !== undefined) selection.moveUp(selectionShift() ?? Number.POSITIVE_INFINITY);
    if (scrollShift === undefined) return;
    const shift = scrollShift();
    // A program that cleared its history may be about to print it again, this line included.
    if (shift !== undefined || emulator.historyLength() >= history) scroll.to(top - (shift ?? top));
  };
}
