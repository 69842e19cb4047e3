import { type RefObject, useEffect, useState } from "react";
import { PANEL_WIDTH, panelWidth, setPanelWidth, widest } from "../../shared/stores/panel-width.ts";
import { useStore } from "../../shared/stores/store.ts";

const STEP_PX = 16;

/** The panel's left edge. Drag it, or use the arrow keys. A double click or Enter restores the default width. */
export function PanelEdge({ panel }: { panel: RefObject<HTMLElement | null> }) {
  const width = useStore(panelWidth);
  const [shown, setShown] = useState<number>(PANEL_WIDTH.least);

  useEffect(() => {
    const { current } = panel;
    if (width === null) current?.style.removeProperty("--panel-width");
    else current?.style.setProperty("--panel-width", `${width}px`);
    return () => void current?.style.removeProperty("--panel-width");
  }, [panel, width]);

  // The stylesheet decides the default width, from the window's size.
  useEffect(() => {
    const { current } = panel;
    if (current === null) return;
    const observer = new ResizeObserver(() => setShown(Math.round(current.getBoundingClientRect().width)));
    observer.observe(current);
    return () => observer.disconnect();
  }, [panel]);

  function onPointerDown(event: React.PointerEvent<HTMLElement>) {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  function onPointerMove({ currentTarget, pointerId, clientX }: React.PointerEvent<HTMLElement>) {
    if (currentTarget.hasPointerCapture(pointerId)) setPanelWidth(window.innerWidth - clientX);
  }

  /** Not the width on screen, which lags behind when keys are pressed quickly. */
  const now = () => Math.min(panelWidth.get() ?? shown, widest());

  function onKeyDown(event: React.KeyboardEvent) {
    const by = { ArrowLeft: STEP_PX, ArrowRight: -STEP_PX }[event.key];
    if (by !== undefined) setPanelWidth(now() + by * (event.shiftKey ? 4 : 1));
    else if (event.key === "Home") setPanelWidth(PANEL_WIDTH.least);
    else if (event.key === "End") setPanelWidth(widest());
    else if (event.key === "Enter") setPanelWidth(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <hr
      aria-label="Width of the panel"
      aria-orientation="vertical"
      aria-valuemin={PANEL_WIDTH.least}
      aria-valuemax={widest()}
      aria-valuenow={shown}
      tabIndex={0}
      title="Drag to resize; double-click for the default width"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onDoubleClick={() => setPanelWidth(null)}
      onKeyDown={onKeyDown}
      className="panel-edge narrow:hidden"
    />
  );
}
