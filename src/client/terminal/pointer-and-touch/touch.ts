// Fingers on the terminal. One taps, scrolls or, resting, marks; two change the font's size or scroll
// what a program does not want scrolled. The browser does nothing of its own with them: no zoom, no menu.
import { Momentum } from "./momentum.ts";

export interface Point {
  x: number;
  y: number;
}

export interface TouchEvents {
  onTap(at: Point): void;
  /** As a wheel would. */
  onRoll(at: Point, lines: number): void;
  /** Through the history, whatever the program wants. */
  onScroll(lines: number): void;
  onPinchStart(): void;
  /** How far apart the fingers are, against the beginning. */
  onPinch(ratio: number): void;
  /** A finger rests. */
  onMark(at: Point): void;
  /** Is this an end of what is marked, to be drawn further? */
  grabs(at: Point): boolean;
  onMarkTo(at: Point): void;
  onMarked(at: Point): void;
  /** It was no rest: a tap or a move that was told late. */
  onUnmark(): void;
  cellHeight(): number;
}

const TAP_PX = 8;
const LONG_PRESS_MS = 450;
/** Two fingers that come this much closer or apart mean the size. */
const PINCH_PX = 16;

type Mode = "none" | "pressed" | "rolling" | "marking" | "two" | "pinching" | "scrolling";

const pointOf = ({ clientX, clientY }: Touch): Point => ({ x: clientX, y: clientY });
const spread = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

export function listenToTouch(surface: HTMLElement, events: TouchEvents): () => void {
  const stop = new AbortController();
  let mode: Mode = "none";
  let start: Point = { x: 0, y: 0 };
  let at: Point = start;
  let startSpread = 0;
  let pixels = 0;
  /** When the browser felt it, which may be a while before it is told here. */
  let now = 0;
  let startedAt = 0;
  let hasRested = false;
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
    [start, at, pixels, startedAt, hasRested] = [point, point, 0, now, false];
    mode = events.grabs(point) ? "marking" : "pressed";
    if (mode === "pressed") timer = setTimeout(rest, LONG_PRESS_MS);
  };
  const rest = () => {
    if (mode !== "pressed") return;
    mode = "marking";
    hasRested = true;
    events.onMark(at);
  };
  const beginTwo = (first: Point, second: Point) => {
    clearTimeout(timer);
    if (mode === "marking") events.onMarked(at);
    momentum.hold(first.y, now);
    [mode, start, at, pixels, startSpread] = ["two", first, first, 0, spread(first, second)];
    events.onPinchStart();
  };

  /** A busy page hears late of what a finger did; the browser's own times say how long it lay still. */
  const isNoRest = () => hasRested && at === start && now - startedAt < LONG_PRESS_MS;

  const moveOne = (point: Point) => {
    if (mode === "marking" && isNoRest()) {
      events.onUnmark();
      mode = "pressed";
    }
    if (mode === "marking") events.onMarkTo(point);
    else if (mode === "pressed" && spread(start, point) > TAP_PX) {
      clearTimeout(timer);
      mode = "rolling";
    }
    if (mode === "rolling") follow(point);
    // The way to the threshold counts too, once it is crossed.
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
    if (mode === "marking" && isNoRest()) {
      events.onUnmark();
      events.onTap(at);
    } else if (mode === "marking") events.onMarked(at);
    else if (mode === "pressed" && !isCancelled) events.onTap(at);
    else if (mode === "rolling" || mode === "scrolling") momentum.release(now);
    // What rolls on is told by the mode how; it goes with the next touch.
    if (mode !== "rolling" && mode !== "scrolling") mode = "none";
  };

  const on = (type: "touchstart" | "touchmove" | "touchend" | "touchcancel") => (event: TouchEvent) => {
    // Neither the mouse events that follow a touch, nor a zoom, nor the browser's own menu.
    event.preventDefault();
    now = event.timeStamp;
    const [first, second] = [...event.targetTouches].map(pointOf);
    if (type === "touchstart" && first !== undefined) {
      if (second === undefined) begin(first);
      else beginTwo(first, second);
    } else if (type === "touchmove" && first !== undefined) {
      if (second !== undefined) moveTwo(first, second);
      else if (mode === "pressed" || mode === "rolling" || mode === "marking") moveOne(first);
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
