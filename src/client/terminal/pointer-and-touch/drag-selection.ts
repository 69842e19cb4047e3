// Selects by dragging. Beyond the edge, more lines scroll into view.
import type { Place, Screen } from "../screen/screen.ts";

const AUTOSCROLL_MS = 50;
/** What one, two and three clicks select. */
const UNITS = ["character", "word", "line"] as const;

export type DragSelection = ReturnType<typeof createDragSelection>;

export function createDragSelection({ selection, scroll, locate, draw }: Screen, canvas: HTMLCanvasElement) {
  let autoscroll: ReturnType<typeof setInterval> | undefined;
  const stop = () => clearInterval(autoscroll);

  const extend = ({ line, edge }: Place) => {
    selection.extend({ line, col: edge });
    draw();
  };
  return {
    start(place: Place, clicks: number, isExtending: boolean): void {
      if (isExtending && !selection.isEmpty) {
        extend(place);
        return;
      }
      const unit = UNITS[(Math.max(clicks, 1) - 1) % UNITS.length] ?? "character";
      selection.start({ line: place.line, col: unit === "character" ? place.edge : place.col }, unit);
      draw();
    },
    /** `y` is a window coordinate, and may be outside the terminal. */
    to(place: Place, y: number): void {
      extend(place);
      stop();
      const { top, bottom } = canvas.getBoundingClientRect();
      const by = y < top ? -1 : y > bottom ? 1 : 0;
      if (by === 0) return;
      autoscroll = setInterval(() => {
        scroll.by(by);
        extend(locate(by < 0 ? 0 : Number.MAX_SAFE_INTEGER, y).place);
      }, AUTOSCROLL_MS);
    },
    stop,
  };
}
