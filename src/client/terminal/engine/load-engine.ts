// Separate from the rest of the terminal, so that both load at the same time.
import engineUrl from "ghostty-web/ghostty-vt.wasm" with { type: "file" };

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiled once per page. After a failure the next caller tries again. */
export function loadEngine(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compileStreaming(fetch(engineUrl)).catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}
