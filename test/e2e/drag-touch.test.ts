import { expect, test } from "bun:test";
import { PHONE, withBrowser } from "../support/browser.ts";
import { Finger, pointIn } from "../support/pointer.ts";

const browser = withBrowser();

test("a long press lifts a card, which lands where the finger carries it", async () => {
  await using scene = await browser.board({ active: ["A", "B", "C"] }, PHONE);
  const { tab, visitor } = scene;
  await visitor.open();
  await tab.page.bringToFront();
  const finger = await Finger.on(tab.page);

  await finger.lift(tab.card("A"));
  await finger.move(await pointIn(tab.card("B"), 0.5, 0.9));
  await tab.page.locator("[data-drop-line]").waitFor();
  await finger.up();
  await scene.expectEverywhere({ active: ["B", "A", "C"], backlog: [], done: [] });

  await finger.lift(tab.card("C"));
  await finger.move(await pointIn(tab.card("B"), 0.5, 0.1));
  await tab.page.locator("[data-drop-line]").waitFor();
  await finger.up();
  await scene.expectEverywhere({ active: ["C", "B", "A"], backlog: [], done: [] });
  await tab.panel().waitFor({ state: "detached" });
});

test("a card dropped onto another column's tab moves to the top of that column", async () => {
  await using scene = await browser.board({ active: ["A", "B"], done: ["Z"] }, PHONE);
  const { tab, visitor } = scene;
  await visitor.open();
  await tab.page.bringToFront();
  const finger = await Finger.on(tab.page);
  await finger.lift(tab.card("B"));
  await finger.move(await pointIn(tab.page.getByRole("tab", { name: /Done/ })));
  await tab.page.locator("[role=tab][data-over]", { hasText: "Done" }).waitFor();
  await finger.up();
  await scene.expectEverywhere({ active: ["A"], backlog: [], done: ["B", "Z"] });
});

test("a swipe up scrolls the column and moves no card", async () => {
  const titles = Array.from({ length: 30 }, (_, index) => `Task ${index}`);
  await using scene = await browser.board({ active: titles }, PHONE);
  const { tab } = scene;
  const finger = await Finger.on(tab.page);
  const from = await pointIn(tab.card("Task 6"));
  await finger.swipe(from, { x: from.x, y: from.y - 300 });
  await tab.page.waitForFunction(
    () => (document.querySelector("[data-column=active] [data-scroller]")?.scrollTop ?? 0) > 100,
  );
  expect(await tab.page.locator("[data-ghost]").count()).toBe(0);
  await tab.panel().waitFor({ state: "detached" });
  await scene.expectStored({ active: titles });
});
