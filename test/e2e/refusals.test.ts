import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { openStore } from "../../src/db/open.ts";
import { type Scene, withBrowser } from "../support/browser.ts";
import { deafen } from "../support/deaf.ts";
import { holdAnswer } from "../support/held-answer.ts";
import { intercept } from "../support/intercept.ts";
import { Mouse, pointIn } from "../support/pointer.ts";
import type { Tab } from "../support/visitor.ts";

const browser = withBrowser();

/** As if its agent were running: banto then keeps the card in Active. The page is not told. */
function pretendRunning(scene: Scene, title: string): void {
  const store = openStore(scene.server.database);
  store.db.run(sql`UPDATE tasks SET session_status = 'running' WHERE title = ${title}`);
  store.close();
}

const toasts = (scene: Scene) => scene.tab.page.getByRole("region", { name: "Notifications" }).locator("> *");

test("a card whose agent runs goes back to Active when it is dragged away, and one toast says why", async () => {
  await using scene = await browser.board({ backlog: ["Idea"], active: ["Running", "Other"] });
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 409/);
  pretendRunning(scene, "Running");
  const refused = tab.page.waitForResponse((response) => response.status() === 409);
  await new Mouse(tab.page).drag(tab.card("Running"), await pointIn(tab.column("done")));
  await refused;
  await tab.toast("The task's agent is still running; stop it or complete the task.").waitFor();
  await scene.expectEverywhere({ backlog: ["Idea"], active: ["Running", "Other"], done: [] });
  expect(await toasts(scene).count()).toBe(1);
});

test("a card that may not be deleted comes back, and the toast no longer offers to undo", async () => {
  await using scene = await browser.board({ active: ["Running"] });
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 409/);
  pretendRunning(scene, "Running");
  await tab.press("j", "Delete");
  await tab.toast("Couldn't delete the task").waitFor();
  await scene.expectEverywhere({ backlog: [], active: ["Running"], done: [] });
  expect(await toasts(scene).count()).toBe(1);
  expect(await tab.button("Undo").count()).toBe(0);
});

test("a rename of a task that is gone is taken back and explained", async () => {
  await using scene = await browser.board({ backlog: ["Gone", "Here"] });
  const { tab, visitor, server } = scene;
  visitor.expectConsole(/status of 404/);
  const [gone] = await scene.board.column("backlog");
  const deaf = await deafen(tab.page);
  await tab.page.reload();
  await tab.expectColumn("backlog", ["Gone", "Here"]);
  await server.delete(`/api/tasks/${gone?.id}`);
  await tab.card("Gone").focus();
  await tab.press("e");
  await tab.type("Renamed");
  await tab.press("Enter");
  await tab.expectColumn("backlog", ["Renamed", "Here"]);
  deaf.letHear();
  await tab.toast(/there is no task|not found|deleted/i).waitFor();
  await tab.expectColumn("backlog", ["Here"]);
  expect(await toasts(scene).count()).toBe(1);
});

test("a task for a project that is gone is not created, and the toast says why", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor, server, board } = scene;
  visitor.expectConsole(/status of 404|net::ERR_/);
  await tab.press("c");
  await visitor.context.setOffline(true);
  await tab.expectConnection("Reconnecting…");
  await tab.type("Orphan");
  await tab.press("Enter");
  await tab.expectColumn("backlog", ["Orphan", "Task"]);
  await server.delete(`/api/projects/${board.project.id}`);
  await visitor.context.setOffline(false);
  await tab.toast("Couldn't create the task").waitFor();
  await tab.page.getByRole("heading", { name: "Add a repository to begin" }).waitFor();
  expect(await toasts(scene).count()).toBe(1);
});

/** Every change of a task from now on, until what is returned is called. */
async function refuseChanges({ page }: Tab, status: number, code: string): Promise<() => Promise<void>> {
  const json = { error: { code, message: "The disk is full." } };
  await intercept(page, "**/api/tasks/*", (route) => route.fulfill({ status, json }));
  return () => page.unroute("**/api/tasks/*");
}

/** The server comes to have this description of its only task. */
const expectDescription = async (scene: Scene, wanted: string) => {
  using events = await scene.server.events();
  const [task] = await scene.board.column("backlog");
  if (task?.description !== wanted) await events.until(({ data }) => data.description === wanted);
};

test("a description that was not saved stays in its field and says so, until it is", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 500/);
  await tab.card("Task").click();
  const field = tab.panel().getByLabel("Description");
  const mark = tab.panel().getByText("Not saved");
  let allow = await refuseChanges(tab, 500, "internal");
  await field.fill("A long text");
  await tab.panel().getByLabel("Title").focus();
  await tab.toast("Couldn't save the change").waitFor();
  await mark.waitFor();
  expect(await field.inputValue()).toBe("A long text");
  await allow();
  await tab.button("Retry").click();
  await mark.waitFor({ state: "detached" });
  await expectDescription(scene, "A long text");

  allow = await refuseChanges(tab, 500, "internal");
  await field.fill("A longer text");
  await tab.panel().getByLabel("Close").click();
  await tab.toast("Couldn't save the change").waitFor();
  await tab.card("Task").click();
  await mark.waitFor();
  expect(await field.inputValue()).toBe("A longer text");
  await field.focus();
  await tab.panel().getByLabel("Title").focus();
  await tab.toast("Couldn't save the change").nth(1).waitFor();
  await allow();
  await tab.button("Try again").click();
  await mark.waitFor({ state: "detached" });
  await expectDescription(scene, "A longer text");
});

test("a title that was not saved is there for whoever edits it again, on the card and in the panel", async () => {
  await using scene = await browser.board({ backlog: ["Old"] });
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 500/);
  const allow = await refuseChanges(tab, 500, "internal");
  await tab.press("j", "e");
  await tab.type("New title");
  await tab.press("Enter");
  await tab.toast("Couldn't save the change").waitFor();
  await tab.expectColumn("backlog", ["Old"]);
  await tab.press("Enter");
  expect(await tab.panel().getByLabel("Title").inputValue()).toBe("New title");
  await tab.card("Old").focus();
  await tab.press("Escape");
  await tab.expectFocus("Old");
  await allow();
  await tab.press("e");
  expect(await tab.card("Old").getByLabel("Title").inputValue()).toBe("New title");
  await tab.press("Enter");
  await scene.expectEverywhere({ backlog: ["New title"], active: [], done: [] });
});

test("a description that was typed by someone who is signed out is there when they are back", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor, server } = scene;
  visitor.expectConsole(/status of 401/);
  await tab.card("Task").click();
  const allow = await refuseChanges(tab, 401, "unauthorized");
  await tab.panel().getByLabel("Description").fill("Typed too late");
  await tab.page.getByLabel("Token").fill(server.token);
  await allow();
  await tab.press("Enter");
  await tab.card("Task").click();
  await tab.panel().getByText("Not saved").waitFor();
  expect(await tab.panel().getByLabel("Description").inputValue()).toBe("Typed too late");
});

test("a change to one task does not wait for an answer about another, only for those about its own", async () => {
  await using scene = await browser.board({ backlog: ["Slow", "Other"] });
  const { tab, board } = scene;
  const [slow] = await board.column("backlog");
  const answer = await holdAnswer(tab.page, `**/api/tasks/${slow?.id}`);
  const rename = async (title: string, to: string) => {
    await tab.card(title).focus();
    await tab.press("e", "Control+a");
    await tab.type(to);
    await tab.press("Enter");
  };
  await rename("Slow", "First");
  await answer.given;
  await rename("First", "Second");
  await rename("Other", "Quick");
  await scene.expectStored({ backlog: ["First", "Quick"] });
  await answer.release();
  await scene.expectEverywhere({ backlog: ["Second", "Quick"], active: [], done: [] });
});
