import { type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from "react";

/** A click may move the mouse a little. */
const SLACK_PX = 5;

export interface TabDrag {
  id: string;
  /** Its place among the shells if it is dropped now. */
  order: number;
}

/** Drags a shell's tab along the strip with the mouse. Escape puts it back. */
export function useTabDrag(onDrop: (drag: TabDrag) => void) {
  const [drag, setDrag] = useState<TabDrag | null>(null);
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);

  function begin(event: ReactPointerEvent<HTMLElement>, id: string) {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    const strip = event.currentTarget.parentElement;
    const from = event.clientX;
    let current: TabDrag | null = null;
    const listening = new AbortController();
    const { signal } = listening;
    stop.current = () => {
      listening.abort();
      setDrag(null);
    };
    const onMove = ({ clientX }: PointerEvent) => {
      if (strip === null || (current === null && Math.abs(clientX - from) < SLACK_PX)) return;
      current = { id, order: orderAt(strip, id, clientX) };
      setDrag(current);
    };
    const onUp = () => {
      stop.current();
      if (current !== null) onDrop(current);
    };
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== "Escape" || current === null) return;
      key.preventDefault();
      key.stopPropagation();
      stop.current();
    };
    window.addEventListener("pointermove", onMove, { signal });
    window.addEventListener("pointerup", onUp, { signal });
    window.addEventListener("pointercancel", stop.current, { signal });
    window.addEventListener("keydown", onKey, { signal, capture: true });
  }

  return { drag, begin };
}

/** How many of the other tabs are left of the pointer. */
function orderAt(strip: HTMLElement, id: string, x: number): number {
  const others = [...strip.querySelectorAll<HTMLElement>("[data-shell]")].filter(
    ({ dataset }) => dataset.shell !== id,
  );
  return others.filter((tab) => {
    const { left, width } = tab.getBoundingClientRect();
    return left + width / 2 < x;
  }).length;
}
