import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../test/support/chromium.ts";
import { signInPage } from "../../test/support/login.ts";
import { TestServer } from "../../test/support/server.ts";
import { median, quantile, type Row } from "../row.ts";
import { fillBoard } from "./fill.ts";

const LOADS = 9;

/** What a first visit costs: bytes over the wire, and the time until cards are to be seen. */
export async function measurePage(): Promise<Row[]> {
  const browser = await launchChromium(true);
  try {
    const small = await visit(browser, 50);
    const large = await visit(browser, 5_000);
    return [
      { name: "first load: JavaScript, compressed", value: small.scriptBytes / 1024, unit: "KiB" },
      { name: "first load: page, style, font and JavaScript", value: small.assetBytes / 1024, unit: "KiB" },
      { name: "navigation to cards shown, 50 tasks", value: small.shownMs, unit: "ms" },
      {
        name: "navigation to cards shown, 5,000 tasks",
        value: large.shownMs,
        unit: "ms",
        ratio: large.shownMs / small.shownMs,
        against: "50 tasks",
      },
      {
        name: "frame while scrolling a column, 5,000 tasks, p95",
        value: large.frameMs,
        unit: "ms",
        ratio: large.frameMs / small.frameMs,
        against: `50 tasks, ${small.frameMs.toFixed(1)} ms`,
      },
    ];
  } finally {
    await browser.close();
  }
}

async function visit(browser: Browser, count: number) {
  await using server = await TestServer.start();
  await server.kill("SIGTERM");
  fillBoard(server.database, count);
  await server.restart();
  const shown: number[] = [];
  let bytes = { script: 0, asset: 0 };
  let frameMs = Number.NaN;
  for (let i = 0; i < LOADS; i += 1) {
    // A new context each time: nothing is cached.
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await signInPage(page, server);
    await page.goto(server.url, { waitUntil: "commit" });
    shown.push(await untilCards(page));
    bytes = await transferred(page);
    if (i === LOADS - 1) frameMs = await scrollFrames(page);
    await context.close();
  }
  return { shownMs: median(shown), frameMs, scriptBytes: bytes.script, assetBytes: bytes.asset };
}

/** From the start of the navigation to the frame after the first card is in the document. */
const untilCards = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () =>
          document.querySelector("[data-card]")
            ? requestAnimationFrame(() => resolve(performance.now()))
            : requestAnimationFrame(look);
        look();
      }),
  );

const transferred = (page: Page) =>
  page.evaluate(() => {
    const entries = [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ] as PerformanceResourceTiming[];
    const assets = entries.filter(({ name }) => !name.includes("/api/"));
    const sum = (some: PerformanceResourceTiming[]) =>
      some.reduce((total, { transferSize }) => total + transferSize, 0);
    return { script: sum(assets.filter(({ name }) => name.endsWith(".js"))), asset: sum(assets) };
  });

/** Scrolls the first column by a screen each frame and gives the 95th percentile of the frames' lengths. */
async function scrollFrames(page: Page): Promise<number> {
  const frames = await page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const scroller = document.querySelector("[data-scroller]");
        const lengths: number[] = [];
        let last = performance.now();
        const step = (now: number) => {
          lengths.push(now - last);
          last = now;
          scroller?.scrollBy(0, 400);
          if (lengths.length < 120) requestAnimationFrame(step);
          else resolve(lengths);
        };
        requestAnimationFrame(step);
      }),
  );
  return quantile(frames, 0.95);
}
