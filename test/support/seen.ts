import type { Tab } from "./visitor.ts";

/** Somewhat more than the page gives a person to see what has come up, by the page's own clock. */
const SEEN_MS = 350;

/** Until the page takes an answer to what it shows now. */
export const beSeen = ({ page }: Tab) =>
  page.evaluate(async (ms) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let i = 0; i < 4; i += 1) await frame(); // it is drawn by then
    const end = performance.now() + ms;
    while (performance.now() < end) await frame();
  }, SEEN_MS);
