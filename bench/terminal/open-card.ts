// A click on a card until its terminal is painted, when the session has printed far more than its 1 MiB ring
// holds: in a page that has just been loaded, and again in the same page. Against ghostty-web alone, its code
// loaded already, being given a new terminal and the last 1 MiB as it was printed.
import type { Page } from "playwright-core";
import { launchChromium } from "../../test/support/chromium.ts";
import { TerminalBoard } from "../../test/support/terminal-board.ts";
import { median, type Row } from "../row.ts";
import { installCorner, settledCorner, untilPainted } from "./painted.ts";
import { signedIn } from "./real-page.ts";
import { standIn } from "./stand-in.ts";

const ROUNDS = 9;
const PRINTED = 2_700_000;
const SCRIPT = "stty -echo; seq 1 400000; printf '\\033[31mcoloured\\033[0m\\r\\n'; exec cat";

const openedBy = async (page: Page, wanted: string) => {
  await page.locator("[data-card]").first().focus();
  return untilPainted(page, "Enter", wanted);
};

export async function openCard(): Promise<Row[]> {
  const browser = await launchChromium(true);
  try {
    await using board = await TerminalBoard.start();
    await using source = await standIn();
    const { task } = await board.run(["sh", "-c", SCRIPT]);
    while ((await offsetOf(board, task.id)) < PRINTED) await Bun.sleep(20);
    const visit = async () => {
      const page = await signedIn(browser, board);
      await installCorner(page, "lower");
      await page.goto(board.server.url);
      await page.locator("[data-card]").first().waitFor();
      await page.waitForTimeout(300);
      return page;
    };
    const alone = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await installCorner(alone, "lower");
    await alone.goto(`${source.url}alone.html?source=open&cols=80&rows=40`);
    await alone.locator("[data-is-ready]").waitFor();
    await alone.keyboard.press("Enter");
    const whole = await settledCorner(alone);

    const first = await visit();
    await first.locator("[data-card]").first().focus();
    await first.keyboard.press("Enter");
    await first.locator("[data-connection=live]").waitFor({ state: "attached" });
    const wanted = await settledCorner(first);
    await first.context().close();
    const times = { cold: [] as number[], again: [] as number[], alone: [] as number[] };
    for (let i = 0; i < ROUNDS; i++) {
      const page = await visit();
      times.cold.push(await openedBy(page, wanted));
      await page.goto(board.server.url);
      await page.locator("[data-card]").first().waitFor();
      await page.waitForTimeout(300);
      times.again.push(await openedBy(page, wanted));
      await page.context().close();
      await alone.bringToFront();
      await alone.keyboard.press("c");
      await alone.waitForTimeout(200);
      times.alone.push(await untilPainted(alone, "Enter", whole));
    }
    return (["cold", "again"] as const).map((kind) => ({
      name: `card opened to terminal painted, ring wrapped, ${kind === "cold" ? "nothing cached" : "cached"}`,
      value: median(times[kind]),
      unit: "ms",
      ratio: median(times[kind].map((ms, i) => ms / (times.alone[i] ?? ms))),
      against: `ghostty-web alone given 1 MiB, ${median(times.alone).toFixed(0)} ms`,
    }));
  } finally {
    await browser.close();
  }
}

async function offsetOf(board: TerminalBoard, taskId: string): Promise<number> {
  const { body } = await board.server.get<{ offset: number }>(`/api/tasks/${taskId}/terminal/screen`);
  return body.offset;
}
