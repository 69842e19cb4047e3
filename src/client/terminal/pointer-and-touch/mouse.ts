// The mouse: the program's if it asked for it, otherwise for selecting, scrolling and opening links.
import type { Target } from "../links-and-find/links.ts";
import type { Screen } from "../screen/screen.ts";
import type { DragSelection } from "./drag-selection.ts";
import type { MouseReports } from "./mouse-reports.ts";
import type { Point } from "./touch.ts";
import { createWheelListener } from "./wheel.ts";

const NO_BUTTON = 3;

interface MouseParts {
  surface: HTMLElement;
  screen: Screen;
  reports: MouseReports;
  drag: DragSelection;
  focus(): void;
  /** Opens the menu at a point. It can open a link. */
  openMenu(at: Point): void;
  closeMenu(): void;
}

const isLinkClick = ({ ctrlKey, metaKey }: MouseEvent) => ctrlKey || metaKey;

/** Returns a function that stops it. */
export function listenToMouse(parts: MouseParts): () => void {
  const { surface, screen, reports, drag, focus, openMenu, closeMenu } = parts;
  const { isWanted, report } = reports;
  const stop = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(type: K, act: (event: HTMLElementEventMap[K]) => void) =>
    surface.addEventListener(type, act, { signal: stop.signal, passive: false });
  let button: number | undefined;
  let isSelecting = false;
  let hasMoved = false;
  let lastCell = "";

  on("pointerdown", (event) => {
    hasMoved = false;
    if (event.pointerType !== "touch") surface.setPointerCapture(event.pointerId);
  });
  // Follows pointerdown, and knows the number of clicks.
  on("mousedown", (event) => {
    // A click must not take the focus from the input field.
    event.preventDefault();
    focus();
    closeMenu();
    button = event.button;
    isSelecting = button === 0 && (!isWanted(event) || isLinkClick(event));
    const { place } = screen.locate(event.clientX, event.clientY);
    if (isSelecting) drag.start(place, event.detail, event.shiftKey);
    else if (isWanted(event)) report(event, "press", button);
  });
  on("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const { place, col, row } = screen.locate(event.clientX, event.clientY);
    if (isSelecting) {
      hasMoved ||= event.movementX !== 0 || event.movementY !== 0;
      if (hasMoved) drag.to(place, event.clientY);
      return;
    }
    screen.hover(place);
    const cell = `${col},${row}`;
    if (cell === lastCell || !isWanted(event)) return;
    lastCell = cell;
    report(event, "move", button ?? NO_BUTTON);
  });
  /** If the link's text names another host, the menu says so before it opens. */
  const openLink = ({ address, claims }: Target, { clientX, clientY }: PointerEvent) => {
    if (claims === undefined) window.open(address, "_blank", "noopener,noreferrer");
    else openMenu({ x: clientX, y: clientY });
  };
  const release = (event: PointerEvent) => {
    if (button === undefined) return;
    button = undefined;
    drag.stop();
    const { link } = screen;
    if (!isSelecting && isWanted(event)) report(event, "release", event.button);
    else if (isSelecting && !hasMoved && isLinkClick(event) && link !== undefined) openLink(link, event);
    isSelecting = false;
  };
  on("pointerup", release);
  on("pointercancel", release);
  on("pointerleave", () => screen.hover(undefined));
  // A program that gets the mouse gets its right button too.
  on("contextmenu", (event) => isWanted(event) && event.preventDefault());
  on("wheel", createWheelListener(screen, reports));
  return () => stop.abort();
}
