// A key pressed in the page until the picture has changed, idle and beside twenty sessions that talk all the time.
// Against ghostty-web alone in a page with the same program in a bare terminal behind a WebSocket. Both wait for a
// frame of the browser, so up to 17 ms of each figure are the screen's.
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../test/support/chromium.ts";
import { TerminalBoard } from "../../test/support/terminal-board.ts";
import { quantile, type Row } from "../row.ts";
import { cornerOf, installCorner, otherThan, untilPainted } from "./painted.ts";
import { openRealPage } from "./real-page.ts";
import { RAW_ECHO, standIn } from "./stand-in.ts";

const KEYS = 60;
const SESSIONS = 20;
const TALKING = 'while :; do echo "working, $(date +%N)"; sleep 0.1; done';

/** One letter over the other, always in the first column. */
async function press(page: Page, letter: string): Promise<number> {
  const took = await untilPainted(page, letter);
  const shown = await cornerOf(page);
  await page.keyboard.press("Control+h"); // back onto the letter, which the cursor covers then
  await otherThan(page, shown);
  return took;
}

async function inTurn(ours: Page, alone: Page): Promise<{ ours: number[]; alone: number[] }> {
  const times = { ours: [] as number[], alone: [] as number[] };
  for (let i = 0; i < KEYS + 5; i++) {
    for (const [name, page] of Object.entries({ ours, alone })) {
      await page.bringToFront();
      const took = await press(page, i % 2 === 0 ? "a" : "b");
      if (i >= 5) times[name as keyof typeof times].push(took);
    }
  }
  return times;
}

async function openAlone(browser: Browser, url: string, size: { cols: number; rows: number }): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await installCorner(page, "upper");
  await page.goto(`${url}alone.html?source=echo&cols=${size.cols}&rows=${size.rows}`);
  await page.locator("[data-is-ready]").waitFor();
  return page;
}

export async function keystroke(): Promise<Row[]> {
  const browser = await launchChromium(true);
  try {
    await using board = await TerminalBoard.start();
    await using source = await standIn();
    const session = await board.run(RAW_ECHO);
    await using real = await openRealPage(browser, board, session, "upper");
    const alone = await openAlone(browser, source.url, real.size);
    const idle = await inTurn(real.page, alone);
    for (let i = 0; i < SESSIONS; i++) await board.run(["sh", "-c", TALKING]);
    const busy = await inTurn(real.page, alone);
    return [...rows("idle", idle), ...rows(`${SESSIONS} other sessions busy`, busy)];
  } finally {
    await browser.close();
  }
}

const rows = (when: string, times: { ours: number[]; alone: number[] }): Row[] =>
  [0.5, 0.95].map((fraction) => {
    const [value, other] = [quantile(times.ours, fraction), quantile(times.alone, fraction)];
    return {
      name: `key to changed picture, ${when}, p${fraction * 100}`,
      value,
      unit: "ms",
      ratio: value / other,
      against: `a bare echo into ghostty-web alone, ${other.toFixed(1)} ms`,
    };
  });
