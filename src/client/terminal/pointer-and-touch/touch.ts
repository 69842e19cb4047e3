// Fingers on the terminal. One taps, scrolls or, after a long press, selects; two change the font size, or scroll the
// history even where the program wants the wheel. The browser's own zoom and menu are off.
import { Momentum } from "./momentum.ts";

export interface Point {
  x: number;
  y: number;
}

export interface TouchEvents {
  onTap(at: Point): void;
  /** Like a wheel. */
  onRoll(at: Point, lines: number): void;
  /** Scrolls the history, even if the program wants the wheel. */
  onScroll(lines: number): void;
  onPinchStart(): void;
  /** How far apart the fingers are now, relative to the start. */
  onPinch(ratio: number): void;
  onLongPress(at: Point): void;
  /** Whether an end of the selection is here, which is dragged then. */
  isHandle(at: Point): boolean;
  onSelectTo(at: Point): void;
  onSelected(at: Point): void;
  /** It was a tap or a move after all, but was reported late. */
  onCancelLongPress(): void;
  cellHeight(): number;
}

const TAP_PX = 8;
const LONG_PRESS_MS = 450;
/** Two fingers that move this much closer or apart change the font size. */
const PINCH_PX = 16;

type Mode = "none" | "pressed" | "rolling" | "selecting" | "two" | "pinching" | "scrolling";

const pointOf = ({ clientX, clientY }: Touch): Point => ({ x: clientX, y: clientY });
const spread = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

export function listenToTouch(surface: HTMLElement, events: TouchEvents): () => void {
  const stop = new AbortController();
  let mode: Mode = "none";
  let start: Point = { x: 0, y: 0 };
  let at: Point = start;
  let startSpread = 0;
  let pixels = 0;
  /** The event's own time, because a busy page gets it late. */
  let now = 0;
  let startedAt = 0;
  let isLongPress = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const roll = (moved: number) => {
    pixels += moved;
    const lines = Math.trunc(pixels / events.cellHeight());
    if (lines === 0) return;
    pixels -= lines * events.cellHeight();
    if (mode === "scrolling") events.onScroll(lines);
    else events.onRoll(start, lines);
  };
  const momentum = new Momentum(roll);

  const begin = (point: Point) => {
    momentum.hold(point.y, now);
    [start, at, pixels, startedAt, isLongPress] = [point, point, 0, now, false];
    mode = events.isHandle(point) ? "selecting" : "pressed";
    if (mode === "pressed") timer = setTimeout(longPress, LONG_PRESS_MS);
  };
  const longPress = () => {
    if (mode !== "pressed") return;
    mode = "selecting";
    isLongPress = true;
    events.onLongPress(at);
  };
  const beginTwo = (first: Point, second: Point) => {
    clearTimeout(timer);
    if (mode === "selecting") events.onSelected(at);
    momentum.hold(first.y, now);
    [mode, start, at, pixels, startSpread] = ["two", first, first, 0, spread(first, second)];
    events.onPinchStart();
  };

  /** By the events' own times, the finger didn't rest long enough. */
  const wasShort = () => isLongPress && at === start && now - startedAt < LONG_PRESS_MS;

  const moveOne = (point: Point) => {
    if (mode === "selecting" && wasShort()) {
      events.onCancelLongPress();
      mode = "pressed";
    }
    if (mode === "selecting") events.onSelectTo(point);
    else if (mode === "pressed" && spread(start, point) > TAP_PX) {
      clearTimeout(timer);
      mode = "rolling";
    }
    if (mode === "rolling") follow(point);
    // Once the threshold is crossed, the distance up to it counts as well.
    if (mode !== "pressed") at = point;
  };
  const moveTwo = (first: Point, second: Point) => {
    const apart = spread(first, second);
    if (mode === "two") {
      if (Math.abs(apart - startSpread) > PINCH_PX) mode = "pinching";
      else if (spread(start, first) > TAP_PX) mode = "scrolling";
    }
    if (mode === "pinching") events.onPinch(apart / startSpread);
    else if (mode === "scrolling") follow(first);
    if (mode !== "two") at = first;
  };
  const follow = (point: Point) => {
    momentum.track(point.y, now);
    roll(at.y - point.y);
  };

  const end = (isCancelled: boolean) => {
    clearTimeout(timer);
    if (mode === "selecting" && wasShort()) {
      events.onCancelLongPress();
      events.onTap(at);
    } else if (mode === "selecting") events.onSelected(at);
    else if (mode === "pressed" && !isCancelled) events.onTap(at);
    else if (mode === "rolling" || mode === "scrolling") momentum.release(now);
    // Momentum goes on in the same mode until the next touch.
    if (mode !== "rolling" && mode !== "scrolling") mode = "none";
  };

  const on = (type: "touchstart" | "touchmove" | "touchend" | "touchcancel") => (event: TouchEvent) => {
    // Suppresses emulated mouse events, zooming and the browser's menu.
    event.preventDefault();
    now = event.timeStamp;
    const [first, second] = [...event.targetTouches].map(pointOf);
    if (type === "touchstart" && first !== undefined) {
      if (second === undefined) begin(first);
      else beginTwo(first, second);
    } else if (type === "touchmove" && first !== undefined) {
      if (second !== undefined) moveTwo(first, second);
      else if (mode === "pressed" || mode === "rolling" || mode === "selecting") moveOne(first);
    } else if (first === undefined) end(type === "touchcancel");
  };
  for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"] as const)
    surface.addEventListener(type, on(type), { signal: stop.signal, passive: false });
  return () => {
    clearTimeout(timer);
    momentum.stop();
    stop.abort();
  };
}
