// The door to a terminal: light, so that a page without one does not pay for it.
import { OnDemand } from "../shared/ui/on-demand.tsx";
import { loadEngine } from "./engine/engine-module.ts";

export interface TerminalViewProps {
  taskId: string;
  /** One of the task's shells; without it, its agent. */
  shell?: string;
  /** One of many: without what stands around a terminal, and with 80 columns however small it is. */
  isTile?: boolean;
  /** Only looked at: it never has a say in the session's size. */
  isWatched?: boolean;
  /** Whether it takes the keyboard when it is there; without an answer it does. */
  takesFocus?(): boolean;
  /** The keyboard is wanted elsewhere: Ctrl with ` was pressed. */
  onLeave(): void;
  onTitle?(title: string): void;
}

/** Fills its box. Give it a `key` of the session's id, so that a new session begins a new terminal. */
export const TerminalView = (props: TerminalViewProps) => (
  <OnDemand name="The terminal" load={loadView} props={props} />
);

async function loadView() {
  // At the same time; who needs it asks again, and says what went wrong.
  loadEngine().catch(() => undefined);
  return (await import("./view.tsx")).View;
}
