// When a terminal's canvas has come to show something, looked at from within its page. These run in the page.
import type { Page } from "playwright-core";

declare global {
  interface Window {
    /** The corner of the canvas as it is now. */
    corner(): string;
    /** Milliseconds from the key until the frame in which the corner was the one that was waited for. */
    painted: Promise<number>;
  }
}

/** The lower left corner, where the last line and the prompt stand, or the upper one. */
export type Corner = "lower" | "upper";

/** To be called before the page is opened. */
export const installCorner = (page: Page, corner: Corner) => page.addInitScript(install, corner);

function install(corner: Corner): void {
  window.corner = () => {
    const canvas = document.querySelector("canvas");
    const top = corner === "lower" ? (canvas?.height ?? 0) - 48 : 0;
    const data = canvas?.getContext("2d")?.getImageData(0, top, 96, 48).data;
    let hash = 0;
    for (const pixel of new Uint32Array(data?.buffer ?? new ArrayBuffer(0)))
      hash = (Math.imul(hash, 31) + pixel) | 0;
    return String(hash);
  };
}

export const cornerOf = (page: Page) => page.evaluate(() => window.corner());

/** A frame in which it is another than that. */
export const otherThan = (page: Page, known: string) =>
  page.waitForFunction((was) => window.corner() !== was, known);

/** Presses the key; from there until the corner is the wanted one or, without that, another than it was. */
export async function untilPainted(page: Page, key: string, wanted?: string): Promise<number> {
  await page.evaluate(watch, { key, wanted });
  await page.keyboard.press(key);
  return page.evaluate(() => window.painted);
}

function watch({ key, wanted }: { key: string; wanted: string | undefined }): void {
  const before = window.corner();
  const isThere = () => (wanted === undefined ? window.corner() !== before : window.corner() === wanted);
  window.painted = new Promise((resolve) => {
    const begin = (event: KeyboardEvent) => {
      if (event.key !== key) return;
      window.removeEventListener("keydown", begin, true);
      // Not now: whoever listens to the same key may have been first, and at work.
      const start = event.timeStamp;
      const { port1, port2 } = new MessageChannel();
      // After everything that draws in this frame, whichever asked for it first.
      const look = () => requestAnimationFrame(() => port2.postMessage(null));
      port1.onmessage = () => {
        if (isThere()) resolve(performance.now() - start);
        else look();
      };
      look();
    };
    window.addEventListener("keydown", begin, true);
  });
}

/** The picture once nothing changes any more. */
export async function settledCorner(page: Page): Promise<string> {
  for (;;) {
    const now = await cornerOf(page);
    await page.waitForTimeout(300);
    if ((await cornerOf(page)) === now) return now;
  }
}
