import { type Browser, chromium } from "playwright-core";
import { programPath } from "../../bin/lib/programs.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Pages of one profile share a renderer: see profiles.ts.
  "--process-per-site",
  // The shell does not turn a fault inside WebAssembly into an exception: check every access instead.
  "--js-flags=--wasm-enforce-bounds-checks --no-wasm-trap-handler",
];

/** The machine's own Chromium; `isFull` with everything but a window, as people have it. */
export function launchChromium(isFull = false): Promise<Browser> {
  const executablePath = programPath(isFull ? "chromium" : "headlessChromium");
  if (executablePath === undefined)
    throw new Error("there is no Chromium; bin/test and bin/bench install one where they can");
  return chromium.launch({ executablePath, args: FLAGS });
}
