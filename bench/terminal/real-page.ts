// The page as people have it, from the server itself, with one task's terminal open in full screen.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { connectHost, type HostClient } from "../../src/host/client/connect.ts";
import { signInPage } from "../../test/support/login.ts";
import type { TerminalBoard, TestSession } from "../../test/support/terminal-board.ts";
import { type Corner, installCorner } from "./painted.ts";

export interface RealPage extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  host: HostClient;
  size: { cols: number; rows: number };
}

/** A page of a browser that is signed in. */
export async function signedIn(browser: Browser, board: TerminalBoard): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await signInPage(page, board.server);
  return page;
}

export async function openRealPage(
  browser: Browser,
  board: TerminalBoard,
  session: TestSession,
  corner: Corner,
): Promise<RealPage> {
  const host = await connectHost(session.socketPath, {});
  const page = await signedIn(browser, board);
  const context = page.context();
  await installCorner(page, corner);
  await page.goto(`${board.server.url}?task=${session.task.id}&full`);
  await page.locator("[data-connection=live]").waitFor({ state: "attached" });
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  // The font comes, and with it the size that fits.
  await page.waitForTimeout(1_000);
  const { cols, rows } = await host.screen();
  return {
    page,
    context,
    host,
    size: { cols, rows },
    async [Symbol.asyncDispose]() {
      await context.close();
      host.close();
    },
  };
}
