// Loads what a terminal needs, opens it, and keeps it in step with the page.
import { isSignedOut } from "../shared/api/client.ts";
import { connection } from "../shared/api/live.ts";
import { watchNetwork } from "../shared/api/network.ts";
import { shownTheme } from "../shared/stores/theme.ts";
import { loadEngine } from "./engine/load-engine.ts";
import { loadFont } from "./picture/font.ts";
import { fontSize, setFontSize } from "./picture/font-size.ts";
import { Terminal, type TerminalOptions } from "./terminal.ts";

/** A font that takes longer is not waited for. */
const FONT_MS = 300;

interface OpenOptions extends Omit<TerminalOptions, "module" | "theme" | "fontSize" | "onFontSize"> {
  takesFocus(): boolean;
  onOpen(terminal: Terminal | undefined): void;
  onFailure(message: string): void;
}

/** Returns how to close it, which can be done before it is open. */
export function openTerminal(options: OpenOptions): () => void {
  const stops: (() => void)[] = [];
  let isClosed = false;

  function open(module: WebAssembly.Module) {
    if (isClosed) return;
    const terminal = new Terminal({
      ...options,
      module,
      theme: shownTheme.get(),
      fontSize: fontSize.get(),
      onFontSize: setFontSize,
    });
    const reconnect = () => terminal.reconnect();
    const lostNow = () => (connection.get() === "lost" ? performance.now() : undefined);
    let lostAt = lostNow();
    stops.push(
      () => terminal.dispose(),
      shownTheme.subscribe(() => terminal.setTheme(shownTheme.get())),
      fontSize.subscribe(() => terminal.setFontSize(fontSize.get())),
      // A dead connection can look alive for long. If the page's own had to be made anew, so has this one.
      connection.subscribe(() => {
        if (connection.get() === "live" && lostAt !== undefined) terminal.reconnect(lostAt);
        lostAt = lostNow();
      }),
      // Offline as well: a connection to this very machine is back at once.
      watchNetwork({ onBack: reconnect, onAway: reconnect }),
      terminal.status.subscribe(() => {
        if (terminal.status.get().connection.kind === "signed-out") isSignedOut.set(true);
      }),
    );
    options.onOpen(terminal);
    if (options.takesFocus()) terminal.focus();
    void font.then(() => isClosed || terminal.fontLoaded());
  }

  // With the wrong font it would open with the wrong size, and tell the program.
  const font = loadFont();
  const soon = Promise.race([font, new Promise((resolve) => setTimeout(resolve, FONT_MS))]);
  Promise.all([loadEngine(), soon])
    .then(([module]) => open(module))
    .catch((error: Error) => isClosed || options.onFailure(error.message));
  return () => {
    isClosed = true;
    for (const stop of stops) stop();
    options.onOpen(undefined);
  };
}
