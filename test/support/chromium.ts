import { type Browser, type BrowserServer, chromium } from "playwright-core";
import { programPath } from "../../bin/lib/programs.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-audio-output", // the library for it leaves a folder behind
  // Pages of one profile share a renderer: see profiles.ts.
  "--process-per-site",
  // The shell does not turn a fault inside WebAssembly into an exception: check every access instead.
  "--js-flags=--wasm-enforce-bounds-checks --no-wasm-trap-handler",
];

/** The machine's own Chromium; `isFull` with everything but a window, as people have it. */
export const launchChromium = (isFull = false): Promise<Browser> => chromium.launch(options(isFull));

/** One that several processes use. */
export const serveChromium = (): Promise<BrowserServer> => chromium.launchServer(options(false));

/** The one that bin/test keeps for its test files (bin/lib/test/browsers.ts), or else one of the file's own. */
export function testChromium(): Promise<Browser> {
  const { BANTO_TEST_BROWSER: endpoint } = process.env;
  return endpoint ? chromium.connect(endpoint) : launchChromium();
}

function options(isFull: boolean) {
  const executablePath = programPath(isFull ? "chromium" : "headlessChromium");
  if (executablePath === undefined)
    throw new Error("there is no Chromium; bin/test and bin/bench install one where they can");
  return { executablePath, args: FLAGS };
}
