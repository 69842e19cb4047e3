// The one file that knows where the engine comes from. Apart from the rest of the terminal, so that it can be on its
// way while that is.
import engineUrl from "ghostty-web/ghostty-vt.wasm" with { type: "file" };

export type EngineModule = WebAssembly.Module;

let compiled: Promise<EngineModule> | undefined;

/** Compiled once for the page; a failed load is tried again by the next who asks. */
export function loadEngine(): Promise<EngineModule> {
  compiled ??= WebAssembly.compileStreaming(fetch(engineUrl)).catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}
