import { expect, test } from "bun:test";
import type { Gauges } from "../../src/contract.ts";
import { AgentScene, doing } from "../support/agent-scene.ts";
import { LAPTOP, withBrowser } from "../support/browser.ts";
import { overflows } from "../support/fits.ts";

const browser = withBrowser();

const CALM: Gauges = {
  model: "Sonnet 4.5",
  contextPercent: 38.4,
  costUsd: 0.413,
  fiveHour: { usedPercent: 42, resetsAt: null },
  sevenDay: null,
  version: "2.1.197",
};

test("a card's figures are short, grow louder only near a limit, and the panel has all of them", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/WebSocket|4404/);
  const calm = await scene.add("calm", doing("working"));
  const near = await scene.add("near", doing("finished", { lastReply: "Done." }));
  const resetsAt = new Date(Date.now() + 86_400_000).toISOString();
  const told = { ...CALM, contextPercent: 91, fiveHour: { usedPercent: 92.4, resetsAt } };
  const session = (id: string, gauges: Gauges) => ({
    ...{ kind: "agent", id: `session-of-${id}`, taskId: id },
    ...{ lines: [], gauges },
  });
  // As the server's list has them: no agent is there that would tell any.
  await tab.page.route("**/api/sessions", (route) =>
    route.fulfill({ json: [session(calm.id, CALM), session(near.id, told)] }),
  );
  await tab.page.reload();
  const figures = (title: string) => tab.card(title).locator("[data-gauges]");
  await figures("calm").waitFor();
  expect(await figures("calm").textContent()).toBe("context 38%$0.41");
  expect(await figures("calm").getAttribute("title")).toBe(
    "Sonnet 4.5 · context 38% full · $0.41 so far · 5 h limit 42% used",
  );
  expect(await figures("near").textContent()).toBe("5 h 92%context 91%$0.41");
  expect(await overflows(tab)).toEqual([]);

  await tab.resize(LAPTOP);
  await tab.card("near").click({ position: { x: 40, y: 12 } });
  const all = tab.panel().locator("[data-gauges]");
  await all.getByText("Sonnet 4.5").waitFor();
  expect(await all.textContent()).toMatch(/^ModelSonnet 4\.5Context 91%Cost\$0\.415 h limit92%, resets \S+/);
  expect(await overflows(tab)).toEqual([]);
});
