import { expect, test } from "bun:test";
import { expectClean } from "../support/axe.ts";
import { DESK, LAPTOP, PHONE, withBrowser } from "../support/browser.ts";
import { expectFits, overflows } from "../support/fits.ts";
import { ASKING, SessionScene } from "../support/session-scene.ts";

const browser = withBrowser();

/** One card in every state, and one in the trash. */
async function everyState(scene: SessionScene): Promise<void> {
  const { sessions, tab } = scene;
  await scene.add("idle");
  await sessions.running(undefined, { title: ": works" });
  await scene.start("asks", ASKING);
  await sessions.ended((await scene.start("fails", "echo why; exit 2")).id);
  const finished = await scene.start("finishes", "exit 0");
  await sessions.ended(finished.id);
  const stopped = await sessions.running(undefined, { title: ": stopped" });
  await sessions.act(stopped.id, "stop");
  await sessions.ended(stopped.id);
  const again = await scene.start("again", "exit 1");
  await sessions.ended(again.id);
  await sessions.act(again.id, "retry");
  await sessions.ended(again.id);
  await tab.expectState(": asks", "Has a question");
  await tab.expectState(": stopped", "Stopped");
}

test("axe finds nothing on cards in every state, panels, menus, history and trash; all fits beside a panel at 1024 × 768", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab } = scene;
  await everyState(scene);
  await expectClean(tab, "board");

  await tab.resize(LAPTOP);
  expect(await overflows(tab)).toEqual([]);
  await tab.card(": asks").click();
  await tab.panel().locator("[data-screen]").waitFor();
  const { x, width } = (await tab.button("Command palette").boundingBox()) ?? { x: 0, width: 0 };
  expect(x + width).toBeLessThan((await tab.panel().boundingBox())?.x ?? 0);
  await tab.resize(DESK);

  for (const name of ["asks", "fails", "works", "idle"]) {
    await tab.card(`: ${name}`).click();
    await tab
      .panel()
      .getByRole("heading", { name: `: ${name}` })
      .waitFor({ state: "attached" });
    if (name !== "idle") await tab.panel().locator("[data-screen]").waitFor();
    await expectClean(tab, `panel of ${name}`);
  }
  await tab.press(".");
  await tab.dialog(": idle").waitFor();
  await expectClean(tab, "menu");
  await tab.press("Escape");
  await tab.card(": again").click();
  await tab.panel().getByRole("tab", { name: "History" }).click();
  await tab.panel().getByRole("button", { name: "Restore" }).click();
  await tab.panel().getByRole("button", { name: "Copy the path" }).waitFor();
  await expectClean(tab, "history");

  await scene.server.post(`/api/tasks/${(await scene.start("gone", "exit 0")).id}/complete`);
  await tab.press("g", "h");
  await tab.page.getByRole("button", { name: "Delete permanently…" }).first().waitFor();
  await expectClean(tab, "trash");
  await tab.page.getByRole("button", { name: "Delete permanently…" }).first().click();
  await tab.dialog("Delete permanently").waitFor();
  await expectClean(tab, "delete for good");
});

test("at 390 px cards, panels, history and trash fit the screen and a thumb", async () => {
  await using scene = await SessionScene.open(browser, { screen: PHONE });
  const { tab } = scene;
  await everyState(scene);
  await tab.page.getByRole("tab", { name: /Active/ }).tap();
  await expectFits(tab);
  for (const name of ["asks", "fails", "finishes"]) {
    await tab.card(`: ${name}`).tap();
    await tab.panel().locator("[data-screen]").waitFor();
    for (const tabName of ["Task", "History"]) {
      await tab.panel().getByRole("tab", { name: tabName }).tap();
      await tab.panel().getByRole("tab", { name: tabName, selected: true }).waitFor();
      await expectFits(tab);
    }
    await tab.panel().getByLabel("Close").tap();
  }
  await tab.button("More").tap();
  await tab.page.getByRole("option", { name: /History and trash/ }).tap();
  await tab.page.getByRole("button", { name: "Restore" }).waitFor();
  await expectFits(tab);
  await tab.page.getByRole("button", { name: "Delete permanently…" }).tap();
  await tab.dialog("Delete permanently").waitFor();
  await expectFits(tab);
});

test("the panel's tabs are one stop for the keyboard, and arrows go from one to the next", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab } = scene;
  await scene.add("job");
  await tab.card(": job").click();
  await tab.panel().getByRole("tab", { name: "Task" }).focus();
  await tab.press("ArrowRight");
  await tab.panel().getByRole("tab", { name: "History", selected: true }).waitFor();
  await tab.panel().getByText("No session has ended yet.").waitFor();
  await tab.press("ArrowRight");
  await tab.panel().getByRole("tab", { name: "Terminal", selected: true }).waitFor();
  await tab.panel().getByText("Start the agent to see its terminal here.").waitFor();
  expect(await tab.page.evaluate(() => document.activeElement?.textContent)).toBe("Terminal");
});
