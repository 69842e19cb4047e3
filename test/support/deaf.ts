import type { Page } from "playwright-core";

/** From its next load on, the page hears of no change, as on a line that is cut again and again. */
export async function deafen(page: Page) {
  let isDeaf = true;
  await page.routeWebSocket("**/api/events*", (line) => {
    if (isDeaf) return line.close();
    line.connectToServer();
  });
  return {
    letHear() {
      isDeaf = false;
    },
  };
}
