import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { withBrowser } from "../support/browser.ts";
import { holdAnswer } from "../support/held-answer.ts";
import { SessionScene } from "../support/session-scene.ts";
import type { Tab } from "../support/visitor.ts";

const browser = withBrowser();

const WORK = "echo secret > .env; echo mine > untracked; exit 0";

const USAGE = /\/api\/usage\?/;

const entry = (tab: Tab, title: string) =>
  tab.page.getByRole("list", { name: "Archived worktrees" }).getByRole("article", { name: title });

/** A task whose work is in the trash. */
async function completed(scene: SessionScene, name: string) {
  const task = await scene.start(name, WORK);
  await scene.sessions.ended(task.id);
  await scene.sessions.act(task.id, "complete");
  return task;
}

async function openHistory(tab: Tab) {
  await tab.press("g", "h");
  await tab.page.getByRole("heading", { name: "History and trash" }).waitFor();
}

test("a task's history lists its sessions by worktree, and brings one back with the place it is in", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions, visitor } = scene;
  await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const task = await scene.start("job", `${WORK.replace("exit 0", "echo oh no; exit 5")}`);
  await sessions.ended(task.id);
  await sessions.act(task.id, "retry");
  await sessions.ended(task.id);
  const [latest, first] = await sessions.logs(task.id);

  await tab.card(": job").click();
  await tab.panel().getByRole("tab", { name: "History" }).click();
  const worktrees = tab.panel().getByRole("list", { name: "Worktrees of this task" }).locator("> li");
  await worktrees.nth(1).waitFor();
  await worktrees.nth(0).getByText("The worktree is in place.").waitFor();
  await worktrees
    .nth(0)
    .getByTitle(latest?.branch ?? "")
    .waitFor();
  await worktrees
    .nth(1)
    .getByTitle(first?.branch ?? "")
    .waitFor();
  await worktrees
    .nth(1)
    .getByText(/^In the trash until/)
    .waitFor();
  await worktrees.nth(1).getByText("Last output").click();
  await worktrees.nth(1).getByText("oh no").waitFor();

  await worktrees.nth(1).getByRole("button", { name: "Restore" }).click();
  await worktrees.nth(1).getByRole("button", { name: "Copy the path" }).click();
  const path = await tab.page.evaluate(() => navigator.clipboard.readText());
  expect(readFileSync(`${path}/.env`, "utf8")).toBe("secret\n");
  expect(existsSync(`${path}/untracked`)).toBe(true);
  await worktrees.nth(1).getByText("Restored beside the task's own worktree.").waitFor();
});

test("the trash lists every archived worktree; one is brought back in its own place", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  await tab.press("g", "h");
  await tab.page.getByText("The trash is empty.").waitFor();
  const task = await completed(scene, "kept");
  await entry(tab, ": kept").getByText("archived on completion").waitFor();
  await entry(tab, ": kept")
    .getByText(/^kept until/)
    .waitFor();
  await entry(tab, ": kept").getByRole("button", { name: "Restore", exact: true }).click();
  await entry(tab, ": kept").getByText("restored").waitFor();
  const { worktreePath } = await sessions.task(task.id);
  await entry(tab, ": kept")
    .getByTitle(worktreePath ?? "")
    .waitFor();
  expect(readFileSync(`${worktreePath}/.env`, "utf8")).toBe("secret\n");
});

test("what goes to the trash while the page fetches it for the first time is shown too", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  const task = await scene.start("late", WORK);
  await sessions.ended(task.id);
  const answer = await holdAnswer(tab.page, "**/api/trash");
  await Promise.all([tab.page.waitForResponse(USAGE), openHistory(tab), answer.given]);
  // Twice the page hears of the task, that it is being completed and that it is, and asks for what it costs anew.
  let told = 0;
  const hears = tab.page.waitForResponse((response) => USAGE.test(response.url()) && ++told === 2);
  await Promise.all([hears, sessions.act(task.id, "complete")]);
  await answer.release();
  await entry(tab, ": late").getByText("archived on completion").waitFor();
});

test("what was deleted with its task, or with its project, comes back together with them", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions, server, board } = scene;
  const task = await scene.start("job", WORK);
  await sessions.ended(task.id);
  await server.delete(`/api/tasks/${task.id}`);
  const description = "First line\n\n  <b>indented</b> 🚀";
  const idea = await board.addTask({ title: "never run", description });
  await server.delete(`/api/tasks/${idea.id}`);
  await openHistory(tab);
  const card = tab.page
    .getByRole("region", { name: "Deleted cards" })
    .getByRole("article", { name: "never run" });
  await card.getByTitle(description).waitFor();
  await card.getByRole("button", { name: "Restore card" }).click();
  await card.waitFor({ state: "detached" });
  expect((await sessions.task(idea.id)).description).toBe(description);
  await entry(tab, ": job").getByRole("button", { name: "Restore with task" }).click();
  await entry(tab, ": job").getByText("restored").waitFor();
  await tab.press("g", "b");
  await tab.expectBoard({ backlog: ["never run"], active: [": job"] });
  const { worktreePath } = await sessions.task(task.id);
  expect(existsSync(`${worktreePath}/untracked`)).toBe(true);

  await server.delete(`/api/projects/${board.project.id}`);
  await tab.page.getByRole("heading", { name: "Add a repository to begin" }).waitFor();
  await tab.page.goto(`${server.url}?page=history`);
  await entry(tab, ": job").getByRole("button", { name: "Restore with project" }).click();
  await entry(tab, ": job").getByText("restored").waitFor();
  expect(existsSync(`${worktreePath}/untracked`)).toBe(true);
});

test("deleting for good asks first, says what stays, and is not done by closing the question", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  const task = await completed(scene, "unwanted");
  const [log] = await sessions.logs(task.id);
  const folder = `${scene.server.dataDir}/trash/${log?.trash}`;
  await openHistory(tab);
  const ask = () => entry(tab, ": unwanted").getByRole("button", { name: "Delete permanently…" }).click();
  await ask();
  const dialog = tab.dialog("Delete permanently");
  await dialog.getByText(log?.branch ?? "").waitFor();
  await tab.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(existsSync(folder)).toBe(true);

  await ask();
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  await tab.toast("Deleted permanently").waitFor();
  await tab.page.getByText("The trash is empty.").waitFor();
  expect(existsSync(folder)).toBe(false);
});

test("on the history page no key reaches a card that is not to be seen", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab } = scene;
  await scene.add("job");
  await tab.expectColumn("active", [": job"]);
  await tab.press("j");
  await tab.expectFocus(": job");
  await openHistory(tab);
  await tab.press("Delete", "s", "x", "p");
  await tab.press("g", "b");
  await tab.expectState(": job", "Not started");
  await scene.expectStored({ active: [": job"] });
});
