import { expect, test } from "bun:test";
import { withBrowser } from "../support/browser.ts";
import { Mouse, pointIn } from "../support/pointer.ts";

const browser = withBrowser();

test("a card dragged within its column lands at the top, in the middle and at the end", async () => {
  await using scene = await browser.board({ backlog: ["A", "B", "C", "D"] });
  const { tab, visitor } = scene;
  await visitor.open();
  const mouse = new Mouse(tab.page);
  await tab.page.bringToFront();

  await mouse.drag(tab.card("C"), await pointIn(tab.card("A"), 0.5, 0.1));
  await scene.expectEverywhere({ backlog: ["C", "A", "B", "D"], active: [], done: [] });

  await mouse.drag(tab.card("C"), await pointIn(tab.card("A"), 0.5, 0.9));
  await scene.expectEverywhere({ backlog: ["A", "C", "B", "D"], active: [], done: [] });

  await mouse.drag(tab.card("A"), await pointIn(tab.column("backlog"), 0.5, 0.8));
  await scene.expectEverywhere({ backlog: ["C", "B", "D", "A"], active: [], done: [] });
});

test("a card dragged to another column lands where the line shows", async () => {
  await using scene = await browser.board({ backlog: ["A", "B"], active: ["One", "Two"], done: [] });
  const { tab, visitor } = scene;
  await visitor.open();
  const mouse = new Mouse(tab.page);
  await tab.page.bringToFront();

  await mouse.drag(tab.card("A"), await pointIn(tab.card("Two"), 0.5, 0.2));
  await scene.expectEverywhere({ backlog: ["B"], active: ["One", "A", "Two"], done: [] });

  await mouse.drag(tab.card("B"), await pointIn(tab.column("active"), 0.5, 0.9));
  await scene.expectEverywhere({ backlog: [], active: ["One", "A", "Two", "B"], done: [] });

  await mouse.drag(tab.card("Two"), await pointIn(tab.column("done")));
  await scene.expectEverywhere({ backlog: [], active: ["One", "A", "B"], done: ["Two"] });

  await mouse.drag(tab.card("One"), await pointIn(tab.column("backlog"), 0.5, 0.3));
  await scene.expectEverywhere({ backlog: ["One"], active: ["A", "B"], done: ["Two"] });
});

test("Escape puts a dragged card back, and nothing else", async () => {
  await using scene = await browser.board({ backlog: ["A", "B"] });
  const { tab } = scene;
  await tab.card("A").click();
  await tab.panel().waitFor();
  const mouse = new Mouse(tab.page);
  await mouse.lift(tab.card("B"));
  await mouse.carry(await pointIn(tab.card("A"), 0.5, 0.1));
  const line = tab.column("backlog").locator("[data-drop-line]");
  await line.waitFor();
  // Above the first card it is as whole as elsewhere.
  const { above, height } = await line.evaluate((drawn) => {
    const { top, height } = drawn.getBoundingClientRect();
    const scroller = drawn.closest("[data-scroller]")?.getBoundingClientRect();
    return { above: top - (scroller?.top ?? top), height };
  });
  expect(above).toBeGreaterThan(0);
  expect(height).toBe(2);
  await mouse.carry(await pointIn(tab.column("done"), 0.2));
  await tab.column("done").locator("[data-drop-line]").waitFor();
  await tab.press("Escape");
  await tab.page.locator("[data-ghost]").waitFor({ state: "detached" });
  await tab.page.mouse.up();
  await tab.panel().waitFor();
  await scene.expectEverywhere({ backlog: ["A", "B"], active: [], done: [] });
});

test("a card let go outside the columns stays where it was", async () => {
  await using scene = await browser.board({ backlog: ["A", "B"] });
  const { tab } = scene;
  const mouse = new Mouse(tab.page);
  await mouse.lift(tab.card("A"));
  await mouse.carry({ x: 700, y: 10 });
  await tab.page.mouse.up();
  await tab.page.locator("[data-ghost]").waitFor({ state: "detached" });
  await scene.expectEverywhere({ backlog: ["A", "B"], active: [], done: [] });
});

test("a pinned card dragged below the others stays above them, and keeps its place among the pinned", async () => {
  await using scene = await browser.board({ backlog: ["P", "Q", "A"] });
  const { tab } = scene;
  await tab.press("j", "p", "j", "p");
  await tab.expectColumn("backlog", ["P", "Q", "A"]);
  await new Mouse(tab.page).drag(tab.card("P"), await pointIn(tab.column("backlog"), 0.5, 0.9));
  await tab.expectColumn("backlog", ["Q", "P", "A"]);
});

test("dragging opens nothing, and a click after it opens the card", async () => {
  await using scene = await browser.board({ backlog: ["A", "B"] });
  const { tab } = scene;
  await new Mouse(tab.page).drag(tab.card("A"), await pointIn(tab.column("active"), 0.5, 0.5));
  await tab.expectBoard({ backlog: ["B"], active: ["A"] });
  await tab.panel().waitFor({ state: "detached" });
  await tab.card("A").click();
  await tab.panel().getByLabel("Title").waitFor();
});
