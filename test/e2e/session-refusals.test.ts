import { test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Route } from "playwright-core";
import { withBrowser } from "../support/browser.ts";
import { intercept } from "../support/intercept.ts";
import { gitIn } from "../support/repository.ts";
import { SessionScene } from "../support/session-scene.ts";

const browser = withBrowser();

test("past the limit a start is refused in words, and works once there is room", async () => {
  await using scene = await SessionScene.open(browser, { env: { BANTO_MAX_SESSIONS: "1" } });
  const { tab, visitor, sessions } = scene;
  visitor.expectConsole(/status of 429/);
  const running = await sessions.running(undefined, { title: ": running" });
  await scene.add("job");
  await tab.card(": job").focus();
  await tab.press("s");
  await tab.toast("Couldn't start").waitFor();
  const refused = tab.card(": job").getByText(/limit of 1 running session has been reached. Stop one/);
  await refused.waitFor();
  await tab.expectState(": job", "Not started");
  await tab.page.reload();
  await refused.waitFor();
  await sessions.act(running.id, "stop");
  await sessions.settled(running.id);
  await tab.button("Try again").click();
  await tab.expectState(": job", "Working");
});

test("an agent that is not installed is shown so, and a start leads to the choice of another", async () => {
  await using scene = await SessionScene.open(browser, {
    env: { CLAUDE_CODE_EXECUTABLE: "/no/such/claude" },
  });
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 422/);
  await scene.board.addTask({ title: "job", status: "active" });
  await tab.card("job").click();
  const field = tab.panel().getByLabel("Agent");
  await field.getByText("Claude Code (not installed)").waitFor({ state: "attached" });
  await tab.panel().getByText("/no/such/claude").waitFor();
  await tab.panel().getByRole("button", { name: "Start" }).click();
  await tab.panel().getByText("Couldn't start.").waitFor();
  await tab.button("Choose another agent").click();
  await tab.waitFor(() => document.activeElement?.tagName === "SELECT", null);
  await field.selectOption("shell");
  await tab.panel().getByRole("button", { name: "Start" }).click();
  await tab.panel().locator("[data-screen]").waitFor();
});

test("a card that someone moved away in between is offered to be moved back and started", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 422/);
  const task = await scene.add("job");
  await tab.card(": job").focus();
  await tab.expectFocus(": job");
  const moveAway = async (route: Route) => {
    await scene.server.patch(`/api/tasks/${task.id}`, { status: "backlog" });
    await route.continue();
  };
  await intercept(tab.page, "**/session/start", moveAway, { times: 1 });
  await tab.press("s");
  await tab.button("Move to Active and start").click();
  await tab.expectColumn("active", [": job"]);
  await tab.expectState(": job", "Working");
});

test("a card whose agent runs can be neither deleted nor moved, and it says what to do", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  await sessions.running(undefined, { title: ": job" });
  await tab.expectState(": job", "Working");
  await tab.card(": job").focus();
  await tab.press("Delete");
  await tab.toast("Stop the agent first.").waitFor();
  await tab.expectColumn("active", [": job"]);
  await tab.page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Stop" }).click();
  await tab.expectState(": job", "Stopped");

  await tab.press("Delete");
  await tab.toast("Its worktree stays in the trash for 30 days.").waitFor();
  await tab.expectColumn("active", []);
  await tab.press("Control+z");
  await tab.expectColumn("active", [": job"]);
  await tab.expectState(": job", "Restored");

  await tab.card(": job").focus();
  await tab.press("s");
  await tab.expectState(": job", "Working");
  await tab.press("m");
  await tab.type("done");
  await tab.press("Enter");
  await tab.toast("Complete the task, or stop the agent first.").waitFor();
  await tab.page
    .getByRole("region", { name: "Notifications" })
    .getByRole("button", { name: "Complete" })
    .click();
  await tab.expectBoard({ active: [], done: [": job"] });
});

test("a lock that a stopped agent left is removed from the card, and a worktree that is gone is forgotten there", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, visitor, sessions } = scene;
  visitor.expectConsole(/status of 409/);
  const { id, worktreePath } = await sessions.running(undefined, { title: ": job" });
  const path = worktreePath ?? "";
  await sessions.act(id, "stop");
  await tab.expectState(": job", "Stopped");
  const lock = join(await gitIn(path, "rev-parse", "--absolute-git-dir"), "index.lock");
  writeFileSync(lock, "");
  await tab.card(": job").focus();
  await tab.press("s");
  await tab.card(": job").getByText("git process that was stopped left a lock").waitFor();
  await tab.card(": job").getByText(lock).waitFor();
  await tab.button("Remove the lock and resume").click();
  await tab.expectState(": job", "Working");

  await sessions.act(id, "stop");
  await tab.expectState(": job", "Stopped");
  renameSync(path, `${path}.away`);
  await tab.card(": job").focus();
  await tab.press("Delete");
  await tab.card(": job").getByText(`The task's worktree is missing from ${path}`).waitFor();
  await tab.page.reload();
  await tab.button("Forget the worktree").click();
  await tab.button("Forget the worktree").waitFor({ state: "detached" });
  await tab.card(": job").focus();
  await tab.press("Delete");
  await tab.expectColumn("active", []);
});

test("a session that can't begin says why, and that nothing of it was shown", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, server, board } = scene;
  await server.patch(`/api/projects/${board.project.id}`, { setupCommand: "echo preparing; exit 9" });
  await scene.start("job");
  await tab.expectState(": job", "Failed");
  await tab.card(": job").click();
  await tab.panel().locator("[data-screen]", { hasText: "preparing" }).waitFor();
});
