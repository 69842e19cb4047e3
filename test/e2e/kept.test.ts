// What only a person decides: the only copies, snapshots, a clock that jumped, agents that nobody knows.
import { expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectClean } from "../support/axe.ts";
import { withBrowser } from "../support/browser.ts";
import { gitIn } from "../support/repository.ts";
import { SessionScene } from "../support/session-scene.ts";

const browser = withBrowser();

test("the history says what each worktree takes and why one is kept, and deletes snapshots one by one", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  const whole = await sessions.running(undefined, { title: ": whole" });
  await sessions.act(whole.id, "retry");
  await sessions.until(whole.id, (row) => row.sessionStatus === "running" && row.branch !== whole.branch);
  await sessions.act(whole.id, "complete");
  const partial = await sessions.running(undefined, { title: ": partial" });
  const inner = join(partial.worktreePath ?? "", "inner");
  await gitIn(
    partial.worktreePath ?? "",
    "clone",
    "--quiet",
    "--depth=1",
    `file://${sessions.board.repository.path}`,
    inner,
  );
  writeFileSync(join(inner, "new"), "mine");
  await sessions.act(partial.id, "complete");

  await tab.press("g", "h");
  const worktrees = tab.page.getByRole("list", { name: "Archived worktrees" });
  const entry = (title: string) => worktrees.getByRole("article", { name: title }).first();
  await entry(": partial").getByText("kept until you delete it: its snapshot is incomplete").waitFor();
  await entry(": partial")
    .getByText(/^\d+(\.\d)? (KB|MB)$/)
    .waitFor();
  await entry(": whole")
    .getByText(/^kept until \D*\d+/)
    .waitFor();

  await tab.page.locator("summary", { hasText: "Snapshots 3" }).click();
  const snapshots = tab.page.getByRole("list", { name: "Snapshots" }).getByRole("listitem");
  await snapshots.filter({ hasText: "incomplete" }).waitFor();
  await expectClean(tab, "history with snapshots");
  await snapshots.filter({ hasText: ": whole" }).last().getByRole("button", { name: "Delete…" }).click();
  await tab.dialog("Delete the snapshot").getByRole("button", { name: "Delete it" }).click();
  await tab.toast("Snapshot deleted").waitFor();
  await tab.page.locator("summary", { hasText: "Snapshots 2" }).waitFor();
  await tab.button("Free it now").click();
  await tab.toast(/freed in/).waitFor();
  await entry(": whole").waitFor();
});

test("a clock that jumped is said on the history page, until somebody says that it is right", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions, server, visitor } = scene;
  visitor.expectConsole(/WebSocket|net::ERR_/);
  const task = await sessions.running();
  await sessions.act(task.id, "complete");
  await server.kill("SIGTERM");
  const file = join(server.dataDir, "clock.json");
  const clock = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...clock, seenAt: clock.seenAt - 31 * 86_400_000 }));
  await server.restart();
  await tab.expectConnection("Live");
  await tab.press("g", "h");
  await tab.page.getByText("The server's clock jumped").waitFor();
  await tab.button("The clock is right").click();
  await tab.page.getByText("The server's clock jumped").waitFor({ state: "detached" });
});

test("agents that run and that the database doesn't know are shown above the board, to be adopted or ended", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions, server, visitor } = scene;
  visitor.expectConsole(/WebSocket|net::ERR_/);
  const tasks = [await scene.add("adopted"), await scene.add("ended")];
  await server.restart(); // by which everything is in the one file
  await server.kill("SIGTERM");
  const backup = join(server.home, "backup.db");
  copyFileSync(server.database, backup);
  await server.restart();
  for (const { id } of tasks) {
    await sessions.act(id, "start");
    await sessions.until(id, (row) => row.sessionStatus === "running" && row.sessionOperation === null);
  }
  await server.kill("SIGTERM");
  copyFileSync(backup, server.database);
  await server.restart();

  await tab.page
    .getByRole("heading", { name: "2 agents are running that this board doesn't know about" })
    .waitFor();
  await expectClean(tab, "unknown agents");
  await tab.button("Adopt : adopted").click();
  await tab.expectState(": adopted", "Working");
  await tab.button("End : ended").click();
  await tab.page.locator("#unknown-agents").waitFor({ state: "detached" });
  const [, ended] = tasks;
  expect(sessions.agentsOf(ended?.id ?? "")).toEqual([]);
  expect(existsSync(join(server.dataDir, "worktrees", ended?.id ?? ""))).toBe(true);
});
