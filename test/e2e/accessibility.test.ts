import { test } from "bun:test";
import { expectClean } from "../support/axe.ts";
import { DESK, PHONE, withBrowser } from "../support/browser.ts";
import { ASKING, SessionScene } from "../support/session-scene.ts";

const browser = withBrowser();

test("axe finds nothing on the board, the panel and the dialogs", async () => {
  await using scene = await browser.board({ backlog: ["One", "Two"], active: ["Three"] });
  const { tab } = scene;
  await expectClean(tab, "board");
  await tab.press("j", "p", "Space", "ArrowRight");
  await expectClean(tab, "a lifted card");
  await tab.press("Escape", "c");
  await expectClean(tab, "composer");
  await tab.press("Escape", "e");
  await expectClean(tab, "title on the card");
  await tab.press("Escape", "Enter");
  await tab.panel().waitFor();
  await expectClean(tab, "panel");
  await tab.press("f");
  await expectClean(tab, "panel in full screen");
  await tab.press("Escape", "Delete");
  await tab.toast("Task deleted").waitFor();
  await expectClean(tab, "toast");
  await tab.press("Control+z");

  const dialogs: [string, string[]][] = [
    ["Command palette", ["Control+k"]],
    ["Keyboard shortcuts", ["?"]],
    ["Projects", ["o"]],
    ["Move to", ["m"]],
  ];
  await tab.expectColumn("backlog", ["One", "Two"]);
  await tab.card("One").focus();
  for (const [name, keys] of dialogs) {
    await tab.press(...keys);
    await tab.dialog(name).waitFor();
    await expectClean(tab, name);
    await tab.press("Escape");
    await tab.dialog(name).waitFor({ state: "detached" });
  }
  for (const [name, command] of [
    ["Add a project", "add a project"],
    ["Sign in another browser", "another browser"],
  ] as const) {
    await tab.press("Control+k");
    await tab.type(command);
    await tab.press("Enter");
    await tab.dialog(name).waitFor();
    await expectClean(tab, name);
    await tab.press("Escape");
    await tab.dialog(name).waitFor({ state: "detached" });
  }
  await tab.press("o");
  await tab.type("settings");
  await tab.press("Enter");
  await expectClean(tab, "project settings");
});

test("axe finds nothing on the first page, the sign-in view and the phone's board", async () => {
  await using scene = await browser.board({ active: ["One"] }, PHONE);
  const { tab, visitor, server, board } = scene;
  visitor.expectConsole(/status of 401/);
  await expectClean(tab, "phone");
  await server.delete(`/api/projects/${board.project.id}`);
  await tab.page.getByRole("heading", { name: "Add a repository to begin" }).waitFor();
  await expectClean(tab, "first page");
  await visitor.context.clearCookies();
  await tab.page.reload();
  await tab.page.getByRole("heading", { name: "Sign in to banto" }).waitFor();
  await expectClean(tab, "sign-in");
});

for (const screen of [DESK, PHONE])
  test(`axe finds nothing with a terminal open at ${screen.width} px`, async () => {
    await using scene = await SessionScene.open(browser, { screen });
    const { tab } = scene;
    await scene.start("terminal", ASKING);
    const card = tab.card(": terminal");
    if (screen.isPhone) await tab.page.getByRole("tab", { name: /Active/ }).tap();
    await card.click();
    await tab.page.locator("[data-connection=live]").waitFor({ state: "attached" });
    await tab.page.locator("[data-screen]", { hasText: "Go on?" }).waitFor({ state: "attached" });
    await expectClean(tab, "terminal");
    await tab.page.getByLabel("Terminal input").evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "one\ntwo\nthree");
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
    });
    await tab.page.getByRole("alertdialog").waitFor();
    await expectClean(tab, "a question before a paste");
    await tab.press("Escape", "Control+Shift+KeyL");
    await tab.page.getByRole("dialog", { name: "Terminal as text" }).waitFor();
    await expectClean(tab, "the terminal as text");
    await tab.press("Escape", "Control+Shift+KeyF");
    await tab.page.getByLabel("Find in the terminal").waitFor();
    await expectClean(tab, "find");
  });
