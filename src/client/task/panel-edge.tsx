import { type RefObject, useEffect, useRef } from "react";
import { PANEL_WIDTH, panelWidth, setPanelWidth, widest } from "../state/panel-width.ts";
import { useStore } from "../state/store.ts";

const STEP_PX = 16;

/** The panel's left edge: dragged, or moved with the arrow keys; a double click or Enter gives the usual width back. */
export function PanelEdge({ panel }: { panel: RefObject<HTMLElement | null> }) {
  const width = useStore(panelWidth);
  const edge = useRef<HTMLHRElement>(null);
  const measured = () => Math.round(panel.current?.getBoundingClientRect().width ?? 0);

  useEffect(() => {
    const { current } = panel;
    if (width === null) current?.style.removeProperty("--panel-width");
    else current?.style.setProperty("--panel-width", `${width}px`);
    edge.current?.setAttribute("aria-valuenow", String(measured()));
    return () => void current?.style.removeProperty("--panel-width");
  });

  function onPointerDown(event: React.PointerEvent<HTMLElement>) {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  function onPointerMove({ currentTarget, pointerId, clientX }: React.PointerEvent<HTMLElement>) {
    if (currentTarget.hasPointerCapture(pointerId)) setPanelWidth(window.innerWidth - clientX);
  }

  function onKeyDown(event: React.KeyboardEvent) {
    const by = { ArrowLeft: STEP_PX, ArrowRight: -STEP_PX }[event.key];
    if (by !== undefined) setPanelWidth(measured() + by * (event.shiftKey ? 4 : 1));
    else if (event.key === "Home") setPanelWidth(PANEL_WIDTH.least);
    else if (event.key === "End") setPanelWidth(widest());
    else if (event.key === "Enter") setPanelWidth(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <hr
      ref={edge}
      aria-label="Width of the panel"
      aria-orientation="vertical"
      aria-valuemin={PANEL_WIDTH.least}
      aria-valuemax={widest()}
      aria-valuenow={0}
      tabIndex={0}
      title="Drag to resize; double-click for the usual width"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onDoubleClick={() => setPanelWidth(null)}
      onKeyDown={onKeyDown}
      className="panel-edge narrow:hidden"
    />
  );
}
