import { expect } from "bun:test";
import axe from "axe-core";
import type { Theme } from "./browser.ts";
import { atRest } from "./fits.ts";
import type { Tab } from "./visitor.ts";

/** The rules whose outcome depends on the theme. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

type WithAxe = typeof globalThis & { axe: typeof axe };

/** What axe-core finds wrong. The policy bars added scripts, so it comes through the debugger. */
async function violations({ page }: Tab, options: axe.RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(
    (more) => (globalThis as WithAxe).axe.run({ resultTypes: ["violations"], ...more }),
    options,
  );
  return found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
  );
}

async function changeTheme(tab: Tab, theme: Theme): Promise<void> {
  await tab.page.emulateMedia({ colorScheme: theme });
  await tab.waitFor((wanted) => document.documentElement.dataset.theme === wanted, theme);
  await atRest(tab);
}

/** In both themes, on a page that follows the system's and began in dark. */
export async function expectClean(tab: Tab, where: string): Promise<void> {
  const dark = await violations(tab);
  await changeTheme(tab, "light");
  const light = await violations(tab, { runOnly: COLOR_RULES });
  await changeTheme(tab, "dark");
  expect({ where, dark, light }).toEqual({ where, dark: [], light: [] });
}
