import { expect } from "bun:test";
import axe from "axe-core";
import type { Tab } from "./visitor.ts";

/** What axe-core finds wrong. The policy bars added scripts, so it comes through the debugger. */
async function violations({ page }: Tab): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }),
  );
  return found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
  );
}

export async function expectClean(tab: Tab, where: string): Promise<void> {
  expect({ where, violations: await violations(tab) }).toEqual({ where, violations: [] });
}
