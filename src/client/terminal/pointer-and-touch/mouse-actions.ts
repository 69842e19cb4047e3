// What the mouse does to a screen: it selects, scrolls and opens links.
import type { Place, Screen } from "../screen/screen.ts";
import type { MouseActions } from "./mouse.ts";

const AUTOSCROLL_MS = 50;
/** By the number of clicks. */
const UNITS = ["character", "word", "line"] as const;

interface MouseActionOptions {
  screen: Screen;
  canvas: HTMLCanvasElement;
  focus(): void;
  type(text: string): void;
  report(bytes: string): void;
}

export function createMouseActions({ screen, canvas, focus, type, report }: MouseActionOptions) {
  const { emulator, selection, scroll } = screen;
  let autoscroll: ReturnType<typeof setInterval> | undefined;
  const stopAutoscroll = () => clearInterval(autoscroll);

  const extend = ({ line, edge }: Place) => {
    selection.extend({ line, col: edge });
    screen.draw();
  };
  /** While a selection is dragged over the edge, the lines beyond it scroll into view. */
  const autoscrollAt = (y: number) => {
    stopAutoscroll();
    const { top, bottom } = canvas.getBoundingClientRect();
    const by = y < top ? -1 : y > bottom ? 1 : 0;
    if (by === 0) return;
    autoscroll = setInterval(() => {
      scroll.by(by);
      extend(screen.locate(by < 0 ? 0 : Number.MAX_SAFE_INTEGER, y).place);
    }, AUTOSCROLL_MS);
  };

  const actions: MouseActions = {
    focus,
    onReport: report,
    onArrows(lines) {
      const arrow = `\x1b${emulator.mode(1) ? "O" : "["}${lines < 0 ? "A" : "B"}`;
      type(arrow.repeat(Math.abs(lines)));
    },
    onScroll(lines) {
      scroll.by(lines);
      screen.draw();
    },
    onPress(place, clicks, isExtending) {
      if (isExtending && !selection.isEmpty) {
        extend(place);
        return;
      }
      const unit = UNITS[(Math.max(clicks, 1) - 1) % UNITS.length] ?? "character";
      selection.start({ line: place.line, col: unit === "character" ? place.edge : place.col }, unit);
      screen.draw();
    },
    onDrag(place, y) {
      extend(place);
      autoscrollAt(y);
    },
    onRelease(isClick, isLinkClick) {
      stopAutoscroll();
      const { link } = screen;
      if (isClick && isLinkClick && link !== undefined) {
        window.open(link.address, "_blank", "noopener,noreferrer");
      }
    },
    onHover: (place) => screen.hover(place),
    locate: (x, y) => screen.locate(x, y),
    cellHeight: () => screen.cursorBox().height,
  };
  return { actions, stopAutoscroll };
}
