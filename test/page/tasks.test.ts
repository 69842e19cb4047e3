import { expect, test } from "bun:test";
import { withoutBrowser } from "../support/browser.ts";

const browser = withoutBrowser();

test("c, a line and Enter make one task after the other, and none of mere spaces", async () => {
  await using scene = await browser.board();
  const { tab } = scene;
  await tab.press("c");
  await tab.type("First");
  await tab.press("Enter");
  await tab.type("   ");
  await tab.press("Enter", "Control+a");
  await tab.type("Second");
  await tab.press("Enter", "Escape");
  await tab.expectFocus("Second");
  await scene.expectEverywhere({ backlog: ["Second", "First"], active: [], done: [] });
  await tab.expectFocus("Second");
  await tab.page
    .getByLabel("New task in Backlog")
    .and(tab.page.locator("input"))
    .waitFor({ state: "detached" });
});

test("a new card is the one that keys act on, also those typed before the server knows it", async () => {
  await using scene = await browser.board({ backlog: ["Other"], active: ["Open"] });
  const { tab, board } = scene;
  const started: string[] = [];
  await tab.page.route("**/session/start", async (route) => {
    started.push(route.request().url().split("/").at(-3) ?? "");
    await route.fulfill({ status: 409, json: { error: { code: "conflict", message: "Not now." } } });
  });
  scene.visitor.expectConsole(/409/);
  const answer = Promise.withResolvers<void>();
  await tab.page.route("**/api/tasks", async (route) => {
    if (route.request().method() === "POST") await answer.promise;
    await route.continue();
  });
  await tab.card("Open").click();
  await tab.panel().getByLabel("Title").waitFor();
  await tab.press("c");
  await tab.type("Typed fast");
  await tab.press("Enter", "Escape", "s");
  answer.resolve();
  await tab.toast("Couldn't start").waitFor();
  await tab.card("Typed fast").getByText("Couldn't start. Not now.").waitFor();
  await tab.card("Typed fast").getByRole("button", { name: "Try again" }).waitFor();
  const made = async (title: string) =>
    (await board.column("active").then((tasks) => tasks.find((task) => task.title === title)))?.id ?? "";
  expect(started).toEqual([await made("Typed fast")]);
  await tab.expectFocus("Typed fast");

  await tab.press("c");
  await tab.type("Started at once");
  const asked = tab.page.waitForRequest("**/session/start");
  await tab.press("Control+Enter");
  expect((await asked).url()).toContain(await made("Started at once"));
});

test("the plus of each column makes a task there", async () => {
  await using scene = await browser.board();
  const { tab } = scene;
  for (const name of ["Backlog", "Active", "Done"]) {
    await tab.button(`New task in ${name}`).click();
    await tab.type(`For ${name}`);
    await tab.press("Enter");
  }
  await scene.expectEverywhere({ backlog: ["For Backlog"], active: ["For Active"], done: ["For Done"] });
});

test("c makes a task in the column of the card with the focus", async () => {
  await using scene = await browser.board({ backlog: ["Later"], active: ["Now"] });
  const { tab } = scene;
  await tab.press("j", "l");
  await tab.expectFocus("Now");
  await tab.press("c");
  await tab.type("Beside it");
  await tab.press("Enter");
  await scene.expectEverywhere({ backlog: ["Later"], active: ["Beside it", "Now"], done: [] });
});

test("a title that is half typed goes along to another column, and waits while another page is shown", async () => {
  await using scene = await browser.board({ backlog: ["Later"], active: ["Now"] });
  const { tab } = scene;
  const line = tab.page.getByRole("textbox", { name: "New task in" });
  await tab.press("c");
  await tab.type("Half");
  await tab.card("Later").focus();
  await tab.press("c");
  await tab.type(" a");
  await tab.card("Now").focus();
  await tab.press("c");
  await tab.type(" title");
  expect(await line.inputValue()).toBe("Half a title");
  await tab.button("History and trash").click();
  await tab.page.getByRole("heading", { name: "History" }).waitFor();
  await tab.press("g", "b");
  await line.waitFor();
  expect(await line.inputValue()).toBe("Half a title");
  await line.press("Enter");
  await scene.expectEverywhere({ backlog: ["Later"], active: ["Half a title", "Now"], done: [] });
  expect(await line.inputValue()).toBe("");
  await line.fill("Unwanted");
  await tab.press("Escape", "c");
  expect(await line.inputValue()).toBe("");
});

test("e edits the title on the card: Enter saves it, Escape leaves it, and both give the focus back", async () => {
  await using scene = await browser.board({ backlog: ["Old", "Other"] });
  const { tab } = scene;
  await tab.press("j", "e");
  await tab.type("New");
  await tab.press("Enter");
  await tab.expectFocus("New");
  await scene.expectEverywhere({ backlog: ["New", "Other"], active: [], done: [] });
  await tab.press("e");
  await tab.type("Unwanted");
  await tab.press("Escape");
  await tab.expectFocus("New");
  await scene.expectEverywhere({ backlog: ["New", "Other"], active: [], done: [] });
});

test("p pins a card to the top of its column and lets it go again", async () => {
  await using scene = await browser.board({ backlog: ["One", "Two"] });
  const { tab } = scene;
  await tab.press("j", "j", "p");
  await tab.expectColumn("backlog", ["Two", "One"]);
  await tab.card("Two").getByLabel("Pinned").waitFor();
  await tab.expectFocus("Two");
  await tab.press("p");
  await tab.expectColumn("backlog", ["One", "Two"]);
  await tab.expectFocus("Two");
});

test("m moves a card to the column that is typed, with the focus on it", async () => {
  await using scene = await browser.board({ backlog: ["Task"], done: ["Earlier"] });
  const { tab } = scene;
  await tab.press("j", "m");
  await tab.type("done");
  await tab.press("Enter");
  await scene.expectEverywhere({ backlog: [], active: [], done: ["Task", "Earlier"] });
  await tab.expectFocus("Task");
});

test("a deleted task comes back by the button of its toast", async () => {
  await using scene = await browser.board({ backlog: ["One", "Two", "Three"] });
  const { tab } = scene;
  await tab.press("j", "j", "Backspace");
  await scene.expectEverywhere({ backlog: ["One", "Three"], active: [], done: [] });
  await tab.expectFocus("Three");
  await tab.button("Undo").click();
  await scene.expectEverywhere({ backlog: ["One", "Two", "Three"], active: [], done: [] });
  expect(await tab.toast("Task deleted").count()).toBe(0);
});

test("Ctrl+Z brings back what was deleted last, then what was deleted before it", async () => {
  await using scene = await browser.board({ backlog: ["One", "Two", "Three"] });
  const { tab } = scene;
  await tab.press("j", "Delete", "Delete");
  await scene.expectEverywhere({ backlog: ["Three"], active: [], done: [] });
  await tab.press("Control+z");
  await scene.expectEverywhere({ backlog: ["Two", "Three"], active: [], done: [] });
  await tab.press("Control+z");
  await scene.expectEverywhere({ backlog: ["One", "Two", "Three"], active: [], done: [] });
});

test("a card's menu is about that card, also beside the panel of another one", async () => {
  await using scene = await browser.board({ backlog: ["Open", "Meant", "Third"] });
  const { tab } = scene;
  await tab.card("Open").click();
  await tab.panel().getByLabel("Title").waitFor();
  const choose = async (command: string) => {
    await tab.card("Meant").hover();
    await tab.button("Actions for Meant").click();
    await tab.dialog("Meant").getByRole("option", { name: command }).click();
  };
  await choose("Pin or unpin");
  await tab.expectColumn("backlog", ["Meant", "Open", "Third"]);
  await choose("Edit title");
  await tab.waitFor(() => document.activeElement?.closest("article") != null, null);
  await tab.press("Escape");
  await choose("Delete");
  await scene.expectEverywhere({ backlog: ["Open", "Third"], active: [], done: [] });
});

test("who leaves the title on a card for another field keeps the keyboard there", async () => {
  await using scene = await browser.board({ backlog: ["Old", "Other"] });
  const { tab } = scene;
  await tab.press("j", "e");
  await tab.type("New");
  await tab.page.getByLabel("Search tasks").click();
  await tab.type("other");
  await tab.expectBoard({ backlog: ["Other"] });
  await scene.expectStored({ backlog: ["New", "Other"] });
});

test("who writes a new task keeps the keyboard when the board comes back with a card that was promised it", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab } = scene;
  const { body } = await scene.server.get<{ id: string }[]>("/api/tasks");
  await tab.press("g", "h");
  await tab.page.getByRole("heading", { name: "History" }).waitFor();
  await tab.page.goto(`${scene.server.url}?page=history&task=${body[0]?.id}`);
  await tab.panel().getByLabel("Title").waitFor();
  await tab.press("Escape");
  await tab.panel().waitFor({ state: "detached" });
  await tab.press("c");
  await tab.type("fix x");
  await tab.card("Task").waitFor();
  await tab.press("Enter", "Escape");
  await scene.expectEverywhere({ backlog: ["fix x", "Task"], active: [], done: [] });
});

test("Ctrl Z takes back a deletion, an edit and a move, one after the other", async () => {
  await using scene = await browser.board({ backlog: ["One", "Two"], done: ["Three"] });
  const { tab } = scene;
  await tab.expectColumn("backlog", ["One", "Two"]);
  await tab.press("j", "m");
  await tab.type("done");
  await tab.press("Enter");
  await scene.expectEverywhere({ backlog: ["Two"], active: [], done: ["One", "Three"] });
  await tab.card("Two").focus();
  await tab.press("e");
  await tab.type("Edited");
  await tab.press("Enter");
  await tab.expectFocus("Edited");
  await tab.press("Backspace");
  await scene.expectEverywhere({ backlog: [], active: [], done: ["One", "Three"] });
  await tab.press("g", "h");
  const cards = tab.page.getByRole("list", { name: "Deleted cards" });
  await cards.getByRole("article", { name: "Edited" }).waitFor();
  await tab.press("g", "b");

  await tab.expectColumn("done", ["One", "Three"]);
  await tab.press("Control+z");
  await scene.expectEverywhere({ backlog: ["Edited"], active: [], done: ["One", "Three"] });
  await tab.press("Control+z");
  await tab.toast("The title is “Two” again.").waitFor();
  await scene.expectEverywhere({ backlog: ["Two"], active: [], done: ["One", "Three"] });
  await tab.press("Control+z");
  await scene.expectEverywhere({ backlog: ["One", "Two"], active: [], done: ["Three"] });
});
