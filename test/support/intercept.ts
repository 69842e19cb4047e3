import type { Page } from "playwright-core";

const ANYWHERE = "**/api/health";

/**
 * What the page asks for there from now on. Chromium says that requests are intercepted before the page's own
 * loaders have heard of it: what is asked for at once could pass by.
 */
export async function intercept(page: Page, ...route: Parameters<Page["route"]>): Promise<void> {
  await page.route(...route);
  await page.route(ANYWHERE, (probe) => probe.fulfill({ status: 204 }));
  await page.waitForFunction(async () => (await fetch("/api/health")).status === 204);
  await page.unroute(ANYWHERE);
}
