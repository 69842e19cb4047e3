// Memory of the tab's process after each quarter of an hour's worth of an agent's output, through program, host,
// server and page; against ghostty-web alone that is given the same bytes. Private memory after a collection.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../test/support/chromium.ts";
import { tempDir } from "../../test/support/temp.ts";
import { TerminalBoard } from "../../test/support/terminal-board.ts";
import type { Row } from "../row.ts";
import { quarterOf } from "./hour.ts";
import { openRealPage } from "./real-page.ts";
import { standIn } from "./stand-in.ts";

const QUARTERS = [0, 1, 2, 3];

function privateMegabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(rollup)?.[1]);
  return (kilobytes("Private_Clean") + kilobytes("Private_Dirty")) / 1_024;
}

/** A browser with one page: the largest of its renderers is that page's. */
async function memoryOf(browser: Browser, page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  for (let i = 0; i < 2; i++) await cdp.send("HeapProfiler.collectGarbage");
  await cdp.detach();
  const root = await browser.newBrowserCDPSession();
  const { processInfo } = await root.send("SystemInfo.getProcessInfo");
  await root.detach();
  return Math.max(
    ...processInfo.filter(({ type }) => type === "renderer").map(({ id }) => privateMegabytes(id)),
  );
}

async function ours(files: string[]): Promise<number[]> {
  const browser = await launchChromium(true);
  try {
    await using board = await TerminalBoard.start();
    const session = await board.run(["bash", "--norc"]);
    await using real = await openRealPage(browser, board, session, "lower");
    const figures = [await memoryOf(browser, real.page)];
    for (const [i, file] of files.entries()) {
      await real.page.keyboard.type(`stty -onlcr; cat ${file}; stty onlcr; echo quarter-$((${i}+1))`);
      await real.page.keyboard.press("Enter");
      await real.page
        .locator("[data-screen]", { hasText: `quarter-${i + 1}` })
        .waitFor({ state: "attached", timeout: 300_000 });
      figures.push(await memoryOf(browser, real.page));
    }
    return figures;
  } finally {
    await browser.close();
  }
}

async function alone(): Promise<number[]> {
  const browser = await launchChromium(true);
  try {
    await using source = await standIn();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${source.url}alone.html?source=hour&cols=171&rows=41`);
    await page.locator("[data-is-ready]").waitFor();
    const figures = [await memoryOf(browser, page)];
    for (const quarter of QUARTERS) {
      await page.keyboard.press("Enter");
      await page.locator(`[data-quarter="${quarter}"]`).waitFor({ timeout: 300_000 });
      figures.push(await memoryOf(browser, page));
    }
    return figures;
  } finally {
    await browser.close();
  }
}

export async function tabMemory(): Promise<Row[]> {
  using dir = tempDir("hour");
  const files: string[] = [];
  let bytes = 0;
  for (const quarter of QUARTERS) {
    const file = join(dir.path, `quarter-${quarter}`);
    bytes += await Bun.write(file, quarterOf(quarter));
    files.push(file);
  }
  const [tab, other] = [await ours(files), await alone()];
  const end = tab.at(-1) ?? 0;
  const otherEnd = other.at(-1) ?? 0;
  const printed = `${(bytes / 1e6).toFixed(0)} MB`;
  return [
    { name: "tab with a terminal just opened", value: tab[0] ?? 0, unit: "MB" },
    ...[15, 30, 45].map((minutes, i) => ({
      name: `tab after ${minutes} minutes' output`,
      value: tab[i + 1] ?? 0,
      unit: "MB",
    })),
    {
      name: `tab after an hour's output, ${printed}`,
      value: end,
      unit: "MB",
      ratio: end / (tab[2] ?? 0),
      against: "after half of it",
      target: "≤ 1.05 ×",
    },
    {
      name: "… against another",
      value: end,
      unit: "MB",
      ratio: end / otherEnd,
      against: `ghostty-web alone, ${other.map((figure) => figure.toFixed(0)).join(", ")} MB`,
    },
  ];
}
