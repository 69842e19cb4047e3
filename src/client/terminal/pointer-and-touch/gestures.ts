// What the pointer does to a screen: marks, scrolls, opens links.

import type { Screen } from "../screen.ts";
import type { Place, PointerEvents } from "./pointer.ts";

const AUTOSCROLL_MS = 50;
/** By how often was clicked. */
const UNITS = ["character", "word", "line"] as const;

interface GestureOptions {
  screen: Screen;
  canvas: HTMLCanvasElement;
  focus(): void;
  type(text: string): void;
  report(bytes: string): void;
}

/** `stop` ends what goes on by itself. */
export function createGestures({ screen, canvas, focus, type, report }: GestureOptions) {
  const { emulator, selection, scroll } = screen;
  let autoscroll: ReturnType<typeof setInterval> | undefined;
  const stop = () => clearInterval(autoscroll);

  const mark = ({ line, edge }: Place) => {
    selection.extend({ line, col: edge });
    screen.draw();
  };
  /** A mark that is drawn over the edge takes the lines beyond it along. */
  const pull = (y: number) => {
    stop();
    const { top, bottom } = canvas.getBoundingClientRect();
    const by = y < top ? -1 : y > bottom ? 1 : 0;
    if (by === 0) return;
    autoscroll = setInterval(() => {
      scroll.by(by);
      mark(screen.locate(by < 0 ? 0 : Number.MAX_SAFE_INTEGER, y).place);
    }, AUTOSCROLL_MS);
  };

  const events: PointerEvents = {
    onTouch: focus,
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
        mark(place);
        return;
      }
      const unit = UNITS[(Math.max(clicks, 1) - 1) % UNITS.length] ?? "character";
      selection.start({ line: place.line, col: unit === "character" ? place.edge : place.col }, unit);
      screen.draw();
    },
    onDrag(place, y) {
      mark(place);
      pull(y);
    },
    onRelease(isClick, isLinkClick) {
      stop();
      const { link } = screen;
      if (isClick && isLinkClick && link !== undefined) {
        window.open(link.address, "_blank", "noopener,noreferrer");
      }
    },
    onHover: (place) => screen.hover(place),
    locate: (x, y) => screen.locate(x, y),
    cellHeight: () => screen.cursorBox().height,
  };
  return { events, stop };
}
