// The door to a terminal: light, so that a page without one does not pay for it.
import { type ComponentType, useEffect, useState } from "react";
import { Button } from "../ui/button.tsx";
import { loadEngine } from "./engine-module.ts";

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
export function TerminalView(props: TerminalViewProps) {
  const [Loaded, setLoaded] = useState<{ View: ComponentType<TerminalViewProps> }>();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    if (hasFailed) return;
    // At the same time; who needs it asks again, and says what went wrong.
    loadEngine().catch(() => undefined);
    import("./view.tsx").then(
      ({ View }) => setLoaded({ View }),
      () => setHasFailed(true),
    );
  }, [hasFailed]);

  if (Loaded !== undefined) return <Loaded.View {...props} />;
  if (!hasFailed) return <div aria-busy className="h-full" />;
  return (
    <div role="alert" className="flex h-full flex-col items-center justify-center gap-3 p-5 text-center">
      <p className="text-muted">The terminal could not be loaded. Is the server still running?</p>
      <Button onClick={() => setHasFailed(false)}>Try again</Button>
    </div>
  );
}
