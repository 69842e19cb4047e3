// The entrance to the terminal: small, so that a page without one doesn't load the rest.
import { OnDemand } from "../shared/ui/on-demand.tsx";
import { loadEngine } from "./engine/load-engine.ts";
import type { ViewProps } from "./view/view.tsx";

/** Fills its box. Its `key` must be the session's id, so that a new session gets a new terminal. */
export const TerminalView = (props: ViewProps) => (
  <OnDemand name="The terminal" load={loadView} props={props} />
);

async function loadView() {
  // Loads at the same time as the view, which asks for it again and shows what went wrong.
  loadEngine().catch(() => undefined);
  return (await import("./view/view.tsx")).View;
}
