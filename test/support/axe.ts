import { expect } from "bun:test";
import axe from "axe-core";
import type { Tab } from "./visitor.ts";

/** The rules whose outcome depends on the theme. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** What axe-core finds wrong in both themes. The policy bars added scripts, so it comes through the debugger. */
async function violations({ page }: Tab): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(checkBothThemes, COLOR_RULES);
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
  );
}

/** Runs in the page. What is still fading in has other colours; what follows a scroll position never ends. */
async function checkBothThemes(colorRules: string[]): Promise<axe.Result[]> {
  const ending = document.getAnimations().filter(({ effect, timeline }) => {
    return timeline instanceof DocumentTimeline && effect?.getComputedTiming().endTime !== Infinity;
  });
  await Promise.allSettled(ending.map(({ finished }) => finished));
  const { axe: checker } = globalThis as unknown as { axe: typeof axe };
  const root = document.documentElement;
  const theme = root.dataset.theme;
  const { violations } = await checker.run({ resultTypes: ["violations"] });
  const still = new CSSStyleSheet(); // else colours would be on their way from one theme to the other
  still.replaceSync("*, ::before, ::after { transition: none !important }");
  document.adoptedStyleSheets.push(still);
  root.dataset.theme = theme === "dark" ? "light" : "dark";
  const other = await checker.run({ resultTypes: ["violations"], runOnly: colorRules });
  root.dataset.theme = theme;
  getComputedStyle(root).color; // at once
  document.adoptedStyleSheets.pop();
  return [...violations, ...other.violations];
}

export async function expectClean(tab: Tab, where: string): Promise<void> {
  expect({ where, violations: await violations(tab) }).toEqual({ where, violations: [] });
}
