import { test } from "bun:test";
import { withBrowser } from "../support/browser.ts";

const browser = withBrowser();

test("Space lifts a card, arrows carry it, Space puts it down, and each step is announced", async () => {
  await using scene = await browser.board({ backlog: ["A", "B", "C"], active: ["One"] });
  const { tab, visitor } = scene;
  await visitor.open();
  await tab.page.bringToFront();
  await tab.press("ArrowDown");
  await tab.expectFocus("A");

  await tab.press("Space");
  await tab.expectAnnouncement("Picked up A. Backlog, position 1 of 3.");
  await tab.press("ArrowDown");
  await tab.expectAnnouncement("Backlog, position 2 of 3");
  await tab.expectColumn("backlog", ["B", "A", "C"]);
  await tab.press("ArrowDown", "ArrowDown");
  await tab.expectAnnouncement("Backlog, position 3 of 3");
  await tab.press("ArrowRight");
  await tab.expectAnnouncement("Active, position 2 of 2");
  await tab.press("ArrowUp");
  await tab.expectAnnouncement("Active, position 1 of 2");
  await tab.press("Space");
  await tab.expectAnnouncement("A put down in Active, position 1 of 2.");
  await tab.expectFocus("A");
  await scene.expectEverywhere({ backlog: ["B", "C"], active: ["A", "One"], done: [] });
});

test("a card is carried over an empty column and put down with Enter", async () => {
  await using scene = await browser.board({ backlog: ["A", "B"] });
  const { tab } = scene;
  await tab.press("j", "Space", "l");
  await tab.expectAnnouncement("Active, position 1 of 1");
  await tab.press("l");
  await tab.expectAnnouncement("Done, position 1 of 1");
  await tab.press("Enter");
  await scene.expectEverywhere({ backlog: ["B"], active: [], done: ["A"] });
  await tab.expectFocus("A");
});

test("Escape puts a lifted card back where it was, with the focus on it", async () => {
  await using scene = await browser.board({ backlog: ["A", "B"], done: ["Z"] });
  const { tab } = scene;
  await tab.press("j", "Space", "ArrowRight", "ArrowRight");
  await tab.expectColumn("done", ["A", "Z"]);
  await tab.press("Escape");
  await tab.expectAnnouncement("Put back.");
  await tab.expectFocus("A");
  await scene.expectEverywhere({ backlog: ["A", "B"], active: [], done: ["Z"] });
});

test("a lifted card that someone else deletes is let go", async () => {
  await using scene = await browser.board({ backlog: ["A", "B"] });
  const { tab, board } = scene;
  const [task] = await board.column("backlog");
  await tab.press("j", "Space", "ArrowRight");
  await tab.expectColumn("active", ["A"]);
  await scene.server.delete(`/api/tasks/${task?.id}`);
  await tab.expectBoard({ backlog: ["B"], active: [] });
  await tab.press("j");
  await tab.expectFocus("B");
});

test("a lifted card is put back by whoever goes on with the mouse, or to another page", async () => {
  await using scene = await browser.board({ backlog: ["Ape", "Bee"] });
  const { tab } = scene;
  await tab.press("j", "Space", "ArrowDown");
  await tab.expectColumn("backlog", ["Bee", "Ape"]);
  await tab.page.getByLabel("Search tasks").click();
  await tab.expectAnnouncement("Put back.");
  await tab.expectColumn("backlog", ["Ape", "Bee"]);
  await tab.type("bee");
  await tab.expectColumn("backlog", ["Bee"]);
  await tab.press("Escape");
  await tab.expectColumn("backlog", ["Ape", "Bee"]);

  await tab.card("Ape").focus();
  await tab.press("Space", "ArrowDown");
  await tab.expectColumn("backlog", ["Bee", "Ape"]);
  await tab.press("Control+k");
  await tab.type("history");
  await tab.press("Enter");
  await tab.page.getByRole("heading", { name: "History" }).waitFor();
  await tab.press("g", "b");
  await scene.expectEverywhere({ backlog: ["Ape", "Bee"], active: [], done: [] });
});
