import { expect, test } from "bun:test";
import { AgentScene, ask, doing } from "../support/agent-scene.ts";
import { withBrowser } from "../support/browser.ts";

const browser = withBrowser();

test("Enter does nothing once the choice it was meant for is gone, until another one is chosen", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  const task = await scene.add("runs", doing("working"));
  await tab.expectState("runs", "Working");
  await tab.card("runs").focus();
  await tab.press(".");
  const menu = tab.dialog("runs");
  const chosen = (name?: RegExp) => menu.getByRole("option", { selected: true, ...(name && { name }) });
  await chosen(/^Stop/).waitFor();
  await scene.tell(task, { sessionStatus: "done", activity: null });
  await menu.getByRole("option", { name: /^Stop/ }).waitFor({ state: "detached" });
  await tab.press("Enter");
  expect(await chosen().count()).toBe(0);
  expect((await scene.scene.board.column("active")).length).toBe(1);
  await menu.waitFor();
  await tab.press("ArrowUp");
  await chosen(/^Delete/).waitFor();
  await tab.press("ArrowDown");
  await chosen(/^Complete/).waitFor();
});

test("Enter does what was chosen, wherever it stands by then", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  const task = await scene.add("runs", doing("working"));
  await tab.expectState("runs", "Working");
  await tab.card("runs").focus();
  await tab.press("Control+k");
  const palette = tab.dialog("Command palette");
  await palette.getByRole("option", { name: "Pin or unpin" }).hover();
  await scene.tell(task, doing("permission", { asks: ask() }));
  await palette.getByRole("option", { name: "Allow the request" }).waitFor({ state: "attached" });
  await tab.press("Enter");
  await tab.card("runs").getByLabel("Pinned").waitFor();
});
