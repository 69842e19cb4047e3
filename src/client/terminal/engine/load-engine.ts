// Apart from the rest of the terminal, so that both are loaded at the same time.
import engineUrl from "ghostty-web/ghostty-vt.wasm" with { type: "file" };

let compiled: Promise<WebAssembly.Module> | undefined;

/** Once for the page. A failed load is tried again by the next caller. */
export function loadEngine(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compileStreaming(fetch(engineUrl)).catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}
