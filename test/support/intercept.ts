import type { Page } from "playwright-core";

const PROBE = "/api/health";

/**
 * Takes what the page asks for there from now on. Right after `route` a request of a page that is loaded already
 * has been seen to pass by, so this asks until one does not.
 */
export async function intercept(page: Page, ...route: Parameters<Page["route"]>): Promise<void> {
  await page.route(...route);
  await page.route(`**${PROBE}`, (probe) => probe.fulfill({ status: 204 }));
  await page.waitForFunction(async (probe) => (await fetch(probe)).status === 204, PROBE);
  await page.unroute(`**${PROBE}`);
}
