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
];

/** The machine's own Chromium, with no window. */
export function launchChromium(): Promise<Browser> {
  const executablePath = programPath("chromium");
  if (executablePath === undefined)
    throw new Error("there is no Chromium; bin/test installs one where it can");
  return chromium.launch({ executablePath, args: FLAGS });
}
