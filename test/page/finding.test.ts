import { expect, test } from "bun:test";
import { withoutBrowser } from "../support/browser.ts";

const browser = withoutBrowser();

test("/ searches titles and descriptions as one types; Enter goes to the first card, Escape shows all again", async () => {
  await using scene = await browser.board({ backlog: ["Fix login", "Write docs"], done: ["Old LOGIN page"] });
  const { tab, board } = scene;
  const [, docs] = await board.column("backlog");
  await scene.server.patch(`/api/tasks/${docs?.id}`, { description: "about the login too" });
  await tab.press("/");
  await tab.type("login p");
  await tab.expectBoard({ backlog: [], active: [], done: ["Old LOGIN page"] });
  await tab.press("Backspace", "Backspace");
  await tab.expectBoard({ backlog: ["Fix login", "Write docs"], done: ["Old LOGIN page"] });
  await tab.type("x");
  await tab.expectBoard({ backlog: [], active: [], done: [] });
  expect(await tab.page.getByText("No matches.").count()).toBe(3);
  await tab.press("Backspace");
  await tab.expectColumn("done", ["Old LOGIN page"]);
  await tab.press("Enter");
  await tab.expectFocus("Fix login");
  await tab.press("/", "Escape");
  await tab.expectBoard({ backlog: ["Fix login", "Write docs"], active: [], done: ["Old LOGIN page"] });
  expect(await tab.page.getByLabel("Search tasks").inputValue()).toBe("");
  await tab.expectFocus("Fix login");
});

test("Enter goes to the first card that matches, even if none did a moment ago", async () => {
  await using scene = await browser.board({ backlog: ["Fix login", "Write docs"] });
  const { tab } = scene;
  await tab.press("/");
  await tab.type("docsx");
  await tab.expectColumn("backlog", []);
  await tab.page.getByLabel("Search tasks").evaluate((field: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "docs");
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  });
  await tab.expectColumn("backlog", ["Write docs"]);
  await tab.expectFocus("Write docs");
});

test("the palette takes what is typed at once: commands, projects and tasks", async () => {
  await using scene = await browser.board({ backlog: ["Fix login", "Write docs"] });
  const { tab } = scene;
  await tab.press("Control+k");
  await tab.type("new task");
  await tab.press("Enter");
  await tab.type("Made by the palette");
  await tab.press("Enter", "Escape");
  await tab.expectColumn("backlog", ["Made by the palette", "Fix login", "Write docs"]);

  await tab.press("Control+k");
  await tab.type("write");
  await tab.press("Enter");
  expect(await tab.panel().getByLabel("Title").inputValue()).toBe("Write docs");

  await tab.press("Control+k");
  await tab.type("move to done");
  await tab.press("Enter");
  await tab.expectColumn("done", ["Write docs"]);

  await tab.press("Control+k");
  await tab.type(scene.board.project.path);
  await tab.press("Enter");
  await tab.button(scene.board.project.name).waitFor();

  await tab.press("Control+k");
  await tab.type("no such thing");
  await tab.page.getByText("Nothing matches “no such thing”.").waitFor();
  await tab.press("Escape");
  await tab.dialog("Command palette").waitFor({ state: "detached" });
});

test("the palette finds things by the words people have for them, and what was used last first", async () => {
  await using scene = await browser.board({
    backlog: ["Add a link to the docs", "Add dark mode", "Add a menu"],
  });
  const { tab, board } = scene;
  const options = () => tab.page.getByRole("option").allTextContents();
  const found = async (typed: string) => {
    await tab.page.getByRole("combobox").fill(typed);
    return options();
  };
  await tab.press("Control+k");
  expect((await found("settings"))[0]).toBe(`${board.project.name} settings…`);
  expect(await found("settings")).toContain("Notifications and sound…");
  expect((await found("usage"))[0]).toBe("Usage and cost");
  expect((await found("cost"))[0]).toBe("Usage and cost");
  expect(await found("link")).toEqual([
    "Login link for another browser…",
    expect.stringContaining("Add a link"),
  ]);
  expect((await found("theme")).slice(0, 3)).toEqual(["Theme: system", "Theme: light", "Theme: dark"]);
  await tab.press("Escape");
  for (const title of ["Add a menu", "Add dark mode"]) await tab.card(title).click();
  await tab.press("Escape", "Control+k");
  expect((await options()).slice(0, 2)).toEqual([
    expect.stringContaining("Add dark mode"),
    expect.stringContaining("Add a menu"),
  ]);
  expect((await found("add"))[0]).toContain("Add dark mode");
  expect(await found("settings of what")).toEqual([]);
  await found("cost");
  await tab.press("Enter");
  await tab.page.getByRole("heading", { name: "History" }).waitFor();
});

test("what the palette leads to has the keyboard: the search, the title of the open task", async () => {
  await using scene = await browser.board({ backlog: ["Fix login", "Write docs"] });
  const { tab } = scene;
  await tab.press("j", "Control+k");
  await tab.type("search tasks");
  await tab.press("Enter");
  await tab.type("docs");
  await tab.expectColumn("backlog", ["Write docs"]);
  expect(await tab.page.getByLabel("Search tasks").inputValue()).toBe("docs");

  await tab.press("Enter", "Enter");
  await tab.panel().waitFor();
  await tab.press("Control+k");
  await tab.type("edit title");
  await tab.press("Enter", "Control+a");
  await tab.type("Read docs");
  await tab.press("Enter");
  await tab.expectColumn("backlog", ["Read docs"]);
});

test("? shows every key, and each of the documented ones is there", async () => {
  await using scene = await browser.board();
  const { tab } = scene;
  await tab.press("?");
  const help = tab.dialog("Keyboard shortcuts");
  const listed = (await help.locator("dt").allTextContents()).toSorted();
  expect(listed).toEqual(
    [
      ...["New task", "Search tasks", "Command palette", "Undo", "Switch project…"],
      ...["Card above", "Card below", "Column to the left", "Column to the right", "Board"],
      ...["Open", "Edit title", "Move to…", "Pick up and move with the arrow keys", "Pin or unpin", "Delete"],
      ...["Start, resume or stop the agent", "Retry", "Complete", "Next card that needs you"],
      ...["Card actions…", "History and trash", "Terminals"],
      ...["Allow the request", "Deny the request…", "Write the next prompt"],
      ...["Enter or leave the terminal", "Enter one of the terminals"],
      ...["New shell in the worktree", "Tab to the left", "Tab to the right"],
      ...["Toggle full screen", "Close", "Keyboard shortcuts"],
    ].toSorted(),
  );
  await tab.press("Escape");
  await help.waitFor({ state: "detached" });
});

test("g b goes back to the whole board", async () => {
  await using scene = await browser.board({ backlog: ["One", "Two"] });
  const { tab } = scene;
  await tab.card("One").click();
  await tab.page.getByLabel("Search tasks").fill("One");
  await tab.expectColumn("backlog", ["One"]);
  await tab.press("Enter", "g", "b");
  await tab.panel().waitFor({ state: "detached" });
  await tab.expectColumn("backlog", ["One", "Two"]);
});

test("g t and g h go from one page to the other, there and back", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab } = scene;
  const terminals = tab.page.getByRole("heading", { name: "Terminals" });
  const history = tab.page.getByRole("heading", { name: "History" });
  for (let times = 0; times < 2; times += 1) {
    await tab.press("g", "t");
    await terminals.waitFor({ state: "attached" });
    await tab.press("g", "h");
    await history.waitFor();
    expect(await terminals.count()).toBe(0);
  }
});
