// Brings together what a terminal needs before it can open, and keeps it in step with the page.
import { isSignedOut } from "../shared/api/client.ts";
import { connection } from "../shared/api/live.ts";
import { watchWake } from "./connection/wake.ts";
import { type EngineModule, loadEngine } from "./engine/engine-module.ts";
import { loadFont } from "./picture/font.ts";
import { fontSize, setFontSize } from "./picture/font-size.ts";
import { currentTheme, watchTheme } from "./picture/page-theme.ts";
import { Terminal, type TerminalElements, type TerminalOptions } from "./terminal.ts";

/** A font that takes longer is not waited for. */
const FONT_MS = 300;

interface Handlers {
  isWatched: boolean;
  leastCols?: number;
  takesFocus(): boolean;
  onLeave(): void;
  onFind(): void;
  onRead(): void;
  onTitle(title: string): void;
  onOpen(terminal: Terminal | undefined): void;
  onFailure(message: string): void;
}

/** Gives how to close it, which can be done before it is open. */
export function openTerminal(
  paths: Pick<TerminalOptions, "path" | "filesPath">,
  elements: TerminalElements,
  handlers: Handlers,
): () => void {
  const stops: (() => void)[] = [];
  let isClosed = false;

  function open(module: EngineModule) {
    if (isClosed) return;
    const terminal = new Terminal({
      ...handlers,
      module,
      elements,
      ...paths,
      theme: currentTheme(),
      fontSize: fontSize.get(),
      onFontSize: setFontSize,
    });
    const lostNow = () => (connection.get() === "lost" ? performance.now() : undefined);
    let lostAt = lostNow();
    stops.push(
      () => terminal.dispose(),
      watchTheme((theme) => terminal.setTheme(theme)),
      fontSize.subscribe(() => terminal.setFontSize(fontSize.get())),
      // A dead line may look alive for long; when the page's own had to be mended, so is this one.
      connection.subscribe(() => {
        if (connection.get() === "live" && lostAt !== undefined) terminal.reconnect(lostAt);
        lostAt = lostNow();
      }),
      watchWake(() => terminal.reconnect()),
      terminal.status.subscribe(() => {
        if (terminal.status.get().connection.kind === "signed-out") isSignedOut.set(true);
      }),
    );
    handlers.onOpen(terminal);
    if (handlers.takesFocus()) terminal.focus();
    void font.then(() => isClosed || terminal.fontLoaded());
  }

  // Opened with the wrong font it would have another size for a moment, and tell the program.
  const font = loadFont();
  const soon = Promise.race([font, new Promise((resolve) => setTimeout(resolve, FONT_MS))]);
  Promise.all([loadEngine(), soon])
    .then(([module]) => open(module))
    .catch((error: Error) => isClosed || handlers.onFailure(error.message));
  return () => {
    isClosed = true;
    for (const stop of stops) stop();
    handlers.onOpen(undefined);
  };
}
