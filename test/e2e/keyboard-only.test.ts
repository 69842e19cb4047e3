import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withBrowser } from "../support/browser.ts";
import { gitIn } from "../support/repository.ts";
import { TestServer } from "../support/server.ts";
import type { Tab } from "../support/visitor.ts";

const browser = withBrowser();

/** Something has the focus, and it can be seen: an outline, a ring, or a border or ground of its own. */
async function expectVisibleFocus(tab: Tab, step: string): Promise<void> {
  const seen = await tab.page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return "nothing has the focus";
    const isMarked = (at: Element) => {
      const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(at);
      const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent");
      const probe = document.createElement("i");
      probe.style.color = accent;
      document.body.append(probe);
      const color = getComputedStyle(probe).color;
      probe.remove();
      return (
        (outlineStyle !== "none" && outlineWidth !== "0px") ||
        boxShadow !== "none" ||
        borderColor.includes(color)
      );
    };
    const isField = element.matches("input, textarea"); // whose caret shows it, within a frame of its own
    const marked = isMarked(element) || (isField && element.closest("form, dialog, label, article") !== null);
    return marked ? "visible" : `${element.outerHTML.slice(0, 200)} shows no focus`;
  });
  expect({ step, seen }).toEqual({ step, seen: "visible" });
}

/** Presses Tab until this has the focus. */
async function tabTo(tab: Tab, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    await tab.press("Tab");
    const focused = await tab.page.evaluate(
      () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
    );
    await expectVisibleFocus(tab, `on the way to ${name}: ${focused}`);
    if (focused.startsWith(name)) return;
  }
  throw new Error(`Tab never reaches ${name}`);
}

test("from the token to a finished task without a mouse, with the focus in sight at every step", async () => {
  await using server = await TestServer.start();
  const repository = join(server.home, "repository");
  mkdirSync(repository);
  await gitIn(repository, "init", "--quiet");
  await using visitor = await browser.stranger(server);
  visitor.expectConsole(/status of 401/);
  const tab = await visitor.goto();

  await tab.page.getByRole("heading", { name: "Sign in to banto" }).waitFor();
  await tabTo(tab, "Token");
  await tab.type(server.token);
  await tab.press("Enter");

  await tab.page.getByRole("option", { name: "repository" }).waitFor();
  await expectVisibleFocus(tab, "path box");
  await tab.press("ArrowDown", "Enter");
  await tab.column("backlog").waitFor();

  await tab.press("c");
  await expectVisibleFocus(tab, "composer");
  await tab.type("Second");
  await tab.press("Enter");
  await tab.type("First");
  await tab.press("Enter");
  await tab.expectColumn("backlog", ["First", "Second"]);
  await tab.press("Escape");
  await tab.expectArrived();
  await tab.expectFocus("First");
  await expectVisibleFocus(tab, "composer closed");
  await tab.press("e");
  await expectVisibleFocus(tab, "title on the card");
  await tab.type("Do it");
  await tab.press("Enter");
  await tab.expectFocus("Do it");
  await expectVisibleFocus(tab, "renamed");

  await tab.press("m");
  await expectVisibleFocus(tab, "move menu");
  await tab.type("act");
  await tab.press("Enter");
  await tab.expectColumn("active", ["Do it"]);
  await tab.expectFocus("Do it");
  await expectVisibleFocus(tab, "moved");

  await tab.press("Enter");
  await tab.panel().waitFor();
  await tabTo(tab, "Title");
  await tabTo(tab, "Description");
  await tab.type("How");
  await tab.press("Escape", "Escape");
  await tab.panel().waitFor({ state: "detached" });
  await tab.expectFocus("Do it");
  await expectVisibleFocus(tab, "panel closed");

  await tab.press("Space", "ArrowRight");
  await expectVisibleFocus(tab, "lifted");
  await tab.press("Space");
  await tab.expectColumn("done", ["Do it"]);
  await tab.expectFocus("Do it");
  await expectVisibleFocus(tab, "put down");
});

test("the focus is never lost: not by a dialog, a search, a deletion or a refused key", async () => {
  await using scene = await browser.board({ backlog: ["One", "Two", "Three"], active: ["Four"] });
  const { tab } = scene;
  await tab.press("j");
  for (const [key, name] of [
    ["Control+k", "Command palette"],
    ["?", "Keyboard shortcuts"],
    ["o", "Projects"],
    ["m", "Move to"],
  ] as const) {
    await tab.press(key);
    await tab.dialog(name).waitFor();
    await expectVisibleFocus(tab, name);
    await tab.press("Escape");
    await tab.dialog(name).waitFor({ state: "detached" });
    await tab.expectFocus("One");
  }
  await tab.press("/", "Escape");
  await tab.expectFocus("One");
  await tab.press("c", "Escape");
  await tab.expectFocus("One");
  await tab.press("Delete");
  await tab.expectFocus("Two");
  await tab.press("j", "Delete");
  await tab.expectFocus("Two");
  await tab.press("Delete");
  await tab.expectFocus("Four");

  await tab.press("Control+z");
  await scene.expectEverywhere({ backlog: ["Two"], active: ["Four"], done: [] });
  await tab.expectFocus("Four");
  await tab.press("h", "Enter");
  await tab.panel().getByLabel("Delete").press("Enter");
  await tab.expectColumn("backlog", []);
  await tab.expectFocus("Four");
  await expectVisibleFocus(tab, "deleted from the panel");
});

test("keys typed into a field are text, not commands", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab } = scene;
  await tab.press("j", "e");
  await tab.type("cemp/?hjkl");
  await tab.press("Enter");
  await scene.expectEverywhere({ backlog: ["cemp/?hjkl"], active: [], done: [] });
  await tab.press("/");
  await tab.type("c");
  await tab.expectColumn("backlog", ["cemp/?hjkl"]);
  expect(await tab.page.getByLabel("Search tasks").inputValue()).toBe("c");
});
