import { test } from "bun:test";
import { withBrowser } from "../support/browser.ts";

const browser = withBrowser();

test("the panel's edge is dragged, moved by keys, given back its usual place, and stays where it was left", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab } = scene;
  await tab.card("Task").click();
  const edge = tab.page.getByRole("separator", { name: "Width of the panel" });
  const width = async () => Math.round((await tab.panel().boundingBox())?.width ?? 0);
  const expectWidth = async (wanted: number) => {
    await tab.waitFor(
      (px) => document.querySelector("[data-panel]")?.getBoundingClientRect().width === px,
      wanted,
    );
    await tab.page.locator(`hr[aria-valuenow="${wanted}"]`).waitFor();
  };
  const usual = await width();
  const { x, y, height } = (await edge.boundingBox()) ?? { x: 0, y: 0, height: 0 };
  await tab.page.mouse.move(x + 4, y + height / 2);
  await tab.page.mouse.down();
  await tab.page.mouse.move(740, y + height / 2, { steps: 4 });
  await tab.page.mouse.up();
  await expectWidth(700);
  await edge.focus();
  await tab.press("ArrowLeft", "Shift+ArrowRight");
  await expectWidth(652);
  await tab.page.reload();
  await expectWidth(652);
  await edge.focus();
  await tab.press("Home");
  await expectWidth(380);
  await tab.press("End");
  await expectWidth(1060);
  await tab.resize({ width: 1100, height: 800 });
  await tab.waitFor(
    () => document.querySelector("[data-panel]")?.getBoundingClientRect().width === 720,
    null,
  );
  await tab.resize({ width: 1440, height: 900 });
  await expectWidth(1060);
  await edge.dblclick();
  await expectWidth(usual);
});
