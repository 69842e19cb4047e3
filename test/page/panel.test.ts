import { expect, test } from "bun:test";
import type { TaskRow } from "../../src/server/tasks/task-row.ts";
import { type Scene, withoutBrowser } from "../support/browser.ts";

const browser = withoutBrowser();

/** The first change of the task that the server tells of and that fits. */
async function nextChange(scene: Scene, act: () => Promise<unknown>): Promise<Partial<TaskRow>> {
  using events = await scene.server.events();
  await act();
  const seen = await events.until(({ type }) => type === "task");
  return seen.at(-1)?.data ?? {};
}

test("Enter opens the card; the title edited there is saved by Enter", async () => {
  await using scene = await browser.board({ backlog: ["Old"] });
  const { tab } = scene;
  await tab.press("j", "Enter");
  await tab.panel().waitFor();
  await tab.press("e", "Control+a");
  await tab.type("New title");
  await tab.press("Enter");
  await scene.expectEverywhere({ backlog: ["New title"], active: [], done: [] });
  await tab.press("Escape");
  await tab.expectFocus("New title");
});

test("Escape in the panel's title leaves it as it was", async () => {
  await using scene = await browser.board({ backlog: ["Old"] });
  const { tab } = scene;
  await tab.press("j", "Enter");
  const title = tab.panel().getByLabel("Title");
  await title.fill("Unwanted");
  await tab.press("Escape");
  expect(await title.inputValue()).toBe("Old");
  await tab.panel().waitFor();
  await scene.expectEverywhere({ backlog: ["Old"], active: [], done: [] });
});

test("a description saves itself: after a pause, on leaving the field, and when the panel closes", async () => {
  await using scene = await browser.board({ backlog: ["Task", "Other"] });
  const { tab } = scene;
  await tab.card("Task").click();
  const field = tab.panel().getByLabel("Description");

  expect(await nextChange(scene, () => field.fill("after a pause"))).toMatchObject({
    description: "after a pause",
  });

  expect(
    await nextChange(scene, async () => {
      await field.fill("on leaving");
      await tab.panel().getByLabel("Title").focus();
    }),
  ).toMatchObject({ description: "on leaving" });

  expect(
    await nextChange(scene, async () => {
      await field.fill("on closing");
      await tab.panel().getByLabel("Close").click();
    }),
  ).toMatchObject({ description: "on closing" });

  await tab.card("Task").click();
  expect(
    await nextChange(scene, async () => {
      await field.fill("on opening another");
      await tab.card("Other").click();
    }),
  ).toMatchObject({ title: "Task", description: "on opening another" });
});

test("a description typed just before a reload is not lost", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab } = scene;
  await tab.card("Task").click();
  await tab.panel().getByLabel("Description").fill("typed and gone");
  await tab.page.reload();
  await tab.waitFor(
    () => document.querySelector<HTMLTextAreaElement>("#task-description")?.value === "typed and gone",
    null,
  );
});

test("a text that someone else saved meanwhile shows at once, unless this one is being typed in", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, board } = scene;
  const [task] = await board.column("backlog");
  await tab.card("Task").click();
  await scene.server.patch(`/api/tasks/${task?.id}`, { description: "from elsewhere" });
  const field = tab.panel().getByLabel("Description");
  await tab.waitFor(
    () => document.querySelector<HTMLTextAreaElement>("#task-description")?.value === "from elsewhere",
    null,
  );
  await field.pressSequentially(" and mine");
  await scene.server.patch(`/api/tasks/${task?.id}`, { title: "Renamed elsewhere" });
  await tab.expectColumn("backlog", ["Renamed elsewhere"]);
  expect(await field.inputValue()).toBe("from elsewhere and mine");
});

test("the panel moves, pins, fills the screen and deletes", async () => {
  await using scene = await browser.board({ backlog: ["Task", "Other"] });
  const { tab } = scene;
  await tab.card("Task").click();
  await tab.panel().getByText("Active", { exact: true }).click();
  await tab.expectBoard({ backlog: ["Other"], active: ["Task"] });
  await tab.panel().getByLabel("Pin", { exact: true }).click();
  await tab.panel().getByLabel("Unpin").waitFor();
  await tab.panel().getByLabel("Full screen").click();
  await tab.column("backlog").waitFor({ state: "hidden" });
  await tab.panel().getByLabel("Beside the board").click();
  await tab.column("backlog").waitFor();
  await tab.panel().getByLabel("Delete").click();
  await tab.panel().waitFor({ state: "detached" });
  await scene.expectEverywhere({ backlog: ["Other"], active: [], done: [] });
  await tab.button("Undo").click();
  await scene.expectEverywhere({ backlog: ["Other"], active: ["Task"], done: [] });
});

test("going from card to card beside the panel is one step back, not one for each card", async () => {
  await using scene = await browser.board({ backlog: ["One", "Two", "Three", "Four"] });
  const { tab } = scene;
  const title = tab.panel().getByLabel("Title");
  await tab.press("j", "Enter");
  await title.waitFor();
  await tab.card("One").focus();
  await tab.press("j", "j", "j");
  await tab.waitFor(() => document.querySelector<HTMLInputElement>("#task-title")?.value === "Four", null);
  const address = tab.page.url();
  await tab.page.goBack();
  await tab.panel().waitFor({ state: "detached" });
  await tab.page.goForward();
  await title.waitFor();
  expect(await title.inputValue()).toBe("Four");
  expect(tab.page.url()).toBe(address);
});

test("the panel follows the focus also where the browser takes no more changes of the address", async () => {
  await using scene = await browser.board({ backlog: ["One", "Two"] });
  const { tab } = scene;
  await tab.press("j", "Enter");
  await tab.panel().getByLabel("Title").waitFor();
  await tab.card("One").focus();
  // As Safari does after a hundred of them within half a minute.
  await tab.page.evaluate(() => {
    history.pushState = history.replaceState = () => {
      throw new DOMException("Attempt to use history more than 100 times", "SecurityError");
    };
  });
  await tab.press("j");
  await tab.expectFocus("Two");
  await tab.waitFor(() => document.querySelector<HTMLInputElement>("#task-title")?.value === "Two", null);
});

test("the address opens the task again, and Back closes it", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor } = scene;
  await tab.card("Task").click();
  await tab.panel().waitFor();
  const other = await visitor.open(tab.page.url());
  expect(await other.panel().getByLabel("Title").inputValue()).toBe("Task");
  await tab.page.goBack();
  await tab.panel().waitFor({ state: "detached" });
});

test("a task deleted elsewhere says so in its panel", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, board } = scene;
  const [task] = await board.column("backlog");
  await tab.card("Task").click();
  await tab.panel().waitFor();
  await scene.server.delete(`/api/tasks/${task?.id}`);
  await tab.panel().getByText("It may have been deleted.").waitFor();
  await tab.button("Back to the board").click();
  await tab.panel().waitFor({ state: "detached" });
});

test("the keys of an open panel work while its card is not on the board", async () => {
  await using scene = await browser.board({ backlog: ["Hidden", "Other"] });
  const { tab } = scene;
  await tab.press("/");
  await tab.type("hidden");
  await tab.press("Enter");
  await tab.expectFocus("Hidden");
  await tab.press("Enter");
  await tab.panel().getByLabel("Title").waitFor();
  await tab.page.getByLabel("Search tasks").fill("other");
  await tab.expectBoard({ backlog: ["Other"] });
  await tab.panel().focus();
  await tab.press("m");
  await tab.type("done");
  await tab.press("Enter");
  await scene.expectStored({ backlog: ["Other"], done: ["Hidden"] });
});

test("what folds out is opened by Enter, and what scrolls is scrolled by arrows", async () => {
  await using scene = await browser.board({ backlog: ["One", "Two"] });
  const { tab } = scene;
  await tab.card("One").click();
  const options = tab.panel().locator("summary", { hasText: "Agent options" });
  await options.focus();
  await tab.press("Enter");
  await tab.panel().locator("details[open]").waitFor();
  await tab.press("Space");
  await tab.panel().locator("details:not([open])").waitFor();
  expect(await tab.panel().getByLabel("Title").inputValue()).toBe("One");
});
