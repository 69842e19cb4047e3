import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

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
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: FLAGS });

function chromiumPath(): string {
  const named = process.env.BANTO_CHROMIUM;
  const candidates = [named, "/usr/bin/chromium", Bun.which("chromium"), Bun.which("google-chrome")];
  const found = candidates.find((path) => path && existsSync(path));
  if (!found) throw new Error("there is no Chromium; install it, or name its program in BANTO_CHROMIUM");
  return found;
}
