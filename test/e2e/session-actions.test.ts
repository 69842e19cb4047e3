import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { withBrowser } from "../support/browser.ts";
import { SessionScene } from "../support/session-scene.ts";

const browser = withBrowser();

test("a task is started, watched, stopped, resumed, retried and completed in its panel", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  const task = await scene.add("job", "touch made; echo hello from the agent; exec sleep 1000");
  await tab.card(": job").click();
  const panel = tab.panel();
  const button = (name: string) => panel.getByRole("button", { name, exact: true });
  await panel.getByText("Starts script in its own worktree, on a new branch from main.").waitFor();

  await button("Start").click();
  await panel.locator("[data-state]", { hasText: "Working" }).waitFor();
  await panel.locator("[data-screen]", { hasText: "hello from the agent" }).waitFor();

  await button("Stop").click();
  await panel.locator("[data-state]", { hasText: "Stopped" }).waitFor();
  await panel.getByText("script continues where it stopped, in the same worktree.").waitFor();
  await panel.locator("[data-screen]", { hasText: "hello from the agent" }).waitFor();

  await button("Resume").click();
  await panel.locator("[data-screen]", { hasText: "resumed" }).waitFor();
  await button("Stop").click();
  await panel.getByText("Fresh worktree from main. This one goes to the trash for 30 days.").waitFor();

  const before = await sessions.task(task.id);
  await button("Retry").click();
  await tab.toast("Retrying in a fresh worktree").waitFor();
  await panel.locator("[data-screen]", { hasText: "hello from the agent" }).waitFor();
  expect((await sessions.task(task.id)).branch).not.toBe(before.branch);

  const { branch, worktreePath } = await sessions.task(task.id);
  await button("Complete").click();
  const dialog = tab.page.getByRole("dialog");
  await dialog.getByText("1 file changed, not committed; 0 commits.").waitFor();
  await dialog.getByText(`None of this is on branch ${branch}.`).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await tab.expectBoard({ active: [": job"], done: [] });
  await button("Complete").click();
  await dialog.getByRole("button", { name: "Complete without committing" }).click();
  // The agent went on until it was stopped, so nothing is claimed about what it left.
  await tab.toast("The worktree stays in the trash for 30 days").waitFor();
  await tab.expectBoard({ active: [], done: [": job"] });
  expect(existsSync(worktreePath ?? "")).toBe(false);

  await tab.button("Undo").click();
  await tab.expectBoard({ active: [": job"], done: [] });
  await tab.expectState(": job", "Restored");
  expect(existsSync(`${worktreePath}/made`)).toBe(true);
  await button("Resume").waitFor();
  await panel.getByText("1 file changed, not committed; 0 commits.").waitFor();

  await sessions.board.repository.git("config", "user.name", "Test Person");
  await sessions.board.repository.git("config", "user.email", "person@example.org");
  await button("Complete").click();
  await dialog.getByLabel("Commit message").fill("Do the job");
  await tab.press("Enter");
  await tab.toast(`Its commit is on branch ${branch}.`).waitFor();
  await button("Reopen").waitFor();
  expect(await sessions.board.repository.git("log", "--format=%s", `main..${branch}`)).toBe("Do the job");
});

test("the same by keyboard alone: s, r, x and Ctrl Z", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab } = scene;
  await scene.add("job");
  await tab.expectColumn("active", [": job"]);
  await tab.press("j");
  await tab.expectFocus(": job");
  await tab.press("s");
  await tab.expectState(": job", "Working");
  await tab.press("s");
  await tab.expectState(": job", "Stopped");
  await tab.press("s");
  await tab.expectState(": job", "Working");
  await tab.press("s");
  await tab.expectState(": job", "Stopped");
  await tab.press("r");
  await tab.toast("Retrying in a fresh worktree").waitFor();
  await tab.expectState(": job", "Working");
  await tab.expectFocus(": job");
  await tab.press("x");
  await tab.expectBoard({ active: [], done: [": job"] });
  await tab.toast("Completed").waitFor();
  await tab.press("Control+z");
  await tab.expectBoard({ active: [": job"], done: [] });
});

test("a card in Backlog is moved and started in one go, from its menu", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab } = scene;
  await scene.add("job", undefined, { status: "backlog" });
  await tab.card(": job").hover();
  await tab.button("Actions for : job").click();
  const menu = tab.dialog(": job");
  await menu.getByText("Starts script in its own worktree").waitFor();
  await menu.getByRole("option", { name: /^Move to Active and start/ }).click();
  await tab.expectColumn("active", [": job"]);
  await tab.expectState(": job", "Working");
});

test("the palette offers what makes sense for the card, with what it will do", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab } = scene;
  await scene.start("job", "exit 4");
  await tab.expectState(": job", "Failed");
  await tab.press("j", "Control+k");
  await tab.type("retry");
  await tab.page.getByRole("option", { name: /Fresh worktree from main. This one goes/ }).waitFor();
  await tab.press("Enter");
  await tab.toast("Retrying in a fresh worktree").waitFor();
});

test("a description that is being typed reaches the agent that is started right away", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab } = scene;
  await scene.add("job", "exit 1");
  await tab.card(": job").click();
  await tab.panel().getByLabel("Description").fill("echo the new words; exec sleep 1000");
  await tab.panel().getByRole("button", { name: "Start" }).click();
  await tab.panel().locator("[data-screen]", { hasText: "the new words" }).waitFor();
});

test("a session that fails says why in the panel, with its output and the next steps", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  const task = await scene.start("job", "echo could not find the file; exit 7");
  await sessions.ended(task.id);
  await tab.card(": job").click();
  const panel = tab.panel();
  await panel.getByText("The agent exited with code 7.").waitFor();
  await panel.locator("[data-screen]", { hasText: "could not find the file" }).waitFor();
  for (const name of ["Resume", "Retry", "Complete"]) await panel.getByRole("button", { name }).waitFor();
});

test("another browser sees each step, and what it did last is not undone by an older row", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, visitor } = scene;
  await scene.add("job");
  const other = await visitor.open();
  for (const each of [tab, other]) await each.expectState(": job", "Not started");
  await tab.page.bringToFront();
  await tab.press("j", "s");
  for (const each of [tab, other]) await each.expectState(": job", "Working");
  await other.page.bringToFront();
  await other.press("j", "s");
  for (const each of [tab, other]) await each.expectState(": job", "Stopped");
});

test("undoing Complete brings back the worktree that it put away, not a newer session's", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  const { id } = await scene.start("job", "touch made; exec sleep 1000");
  await sessions.settled(id);
  const first = (await sessions.task(id)).branch;
  await sessions.act(id, "complete");
  await scene.server.patch(`/api/tasks/${id}`, { status: "active" });
  expect((await sessions.act(id, "start")).status).toBe(202);
  await sessions.settled(id);
  await sessions.act(id, "complete");
  const { body } = await scene.server.get<{ id: string; branch: string }[]>(`/api/tasks/${id}/session-logs`);
  expect(body).toHaveLength(2);
  const older = body.find(({ branch }) => branch === first);
  await scene.server.post(`/api/tasks/${id}/session-logs/${older?.id}/restore`);
  expect((await sessions.task(id)).branch).toBe(first);
  await tab.expectState(": job", "Restored");
  await tab.press("j", "x");
  await tab.page.getByRole("button", { name: "Complete without committing" }).click();
  await tab.toast("Completed").waitFor();
  await tab.press("Control+z");
  await tab.expectState(": job", "Restored");
  expect((await sessions.task(id)).branch).toBe(first);
});
