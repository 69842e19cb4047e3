import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { LIMITS } from "../../src/contract.ts";
import { expectClean } from "../support/axe.ts";
import { DESK, PHONE, withBrowser } from "../support/browser.ts";
import { expectFits } from "../support/fits.ts";
import { intercept } from "../support/intercept.ts";
import { PanelTerminal } from "../support/panel-terminal.ts";
import { SessionScene } from "../support/session-scene.ts";

const browser = withBrowser();
const env = { SHELL: "/bin/sh", PS1: "$ " };

async function open(shells: string[] = [], { screen = DESK, isProcess = false } = {}) {
  const scene = await SessionScene.open(browser, { env, screen, isProcess });
  try {
    const task = await scene.sessions.running(undefined, { title: ": job" });
    for (const name of shells) await scene.server.post(`/api/tasks/${task.id}/shells`, { name });
    await scene.tab.page.goto(`${scene.server.url}?task=${task.id}`);
    const terminal = new PanelTerminal(scene.tab);
    await terminal.expectNames(...shells);
    return { scene, task, terminal, tab: scene.tab };
  } catch (error) {
    await scene[Symbol.asyncDispose]();
    throw error;
  }
}

const rowsOf = async ({ server }: SessionScene, taskId: string) =>
  (await server.get<{ id: string; name: string; pid: number }[]>(`/api/tasks/${taskId}/shells`)).body;

/** The server comes to have these shells in this order. */
async function expectStored(scene: SessionScene, taskId: string, names: string[]): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const stored = (await rowsOf(scene, taskId)).map(({ name }) => name);
    if (Bun.deepEquals(stored, names)) return;
    if (Date.now() > deadline) throw new Error(`the server has ${stored}, not ${names}`);
  }
}

test("a new shell opens in the worktree, takes the keyboard, and outlives a reload", async () => {
  const { scene, task, terminal, tab } = await open();
  await using _ = scene;
  await tab.button("New shell").click();
  await terminal.expectActive("Shell 1");
  // The whole path may not fit into one row.
  await terminal.enter('echo "in $(basename "$PWD")"');
  await terminal.sees(`in ${basename(task.worktreePath ?? "")}`);
  const pid = await terminal.pid();
  await tab.page.reload();
  await terminal.expectNames("Shell 1");
  await terminal.expectActive("Shell 1");
  await terminal.sees(`=${pid}`);
  expect(await terminal.pid()).toBe(pid);
});

test("by keyboard: a key opens one, F2 renames, Shift and arrows move, Delete asks and closes", async () => {
  const { scene, task, terminal, tab } = await open(["one", "two"]);
  await using _ = scene;
  await terminal.expectLive();
  await tab.press("Control+Backquote", "t");
  await terminal.expectActive("Shell 1");
  await terminal.expectKeyboard();
  await tab.press("Control+Backquote");
  await terminal.named("Shell 1").focus();
  await tab.press("F2");
  await tab.page.getByLabel("Name of Shell 1").waitFor();
  await tab.type("three");
  await tab.press("Enter");
  await terminal.expectNames("one", "two", "three");
  await tab.waitFor(() => document.activeElement?.textContent === "three", null);
  await tab.press("Shift+ArrowLeft", "Shift+ArrowLeft");
  await terminal.expectNames("three", "one", "two");
  await expectStored(scene, task.id, ["three", "one", "two"]);
  await tab.press("F2", "x", "Escape");
  await terminal.expectNames("three", "one", "two");

  await tab.press("Delete");
  await tab.dialog("Close the shell").waitFor();
  await tab.press("Escape");
  await terminal.expectNames("three", "one", "two");
  await tab.press("Delete");
  await tab.button("Close shell").press("Enter");
  await terminal.expectNames("one", "two");
  await expectStored(scene, task.id, ["one", "two"]);
  await tab.panel().getByRole("heading", { name: ": job" }).waitFor({ state: "attached" });
  await tab.press("[");
  await terminal.expectActive("Terminal");
  await tab.press("]", "]");
  await terminal.expectActive("two");
});

test("by mouse: a double click renames in place, a drag moves, the cross asks before it ends a shell", async () => {
  const { scene, task, terminal, tab } = await open(["one", "two", "three"]);
  await using _ = scene;
  await terminal.named("one").dblclick();
  await tab.page.getByLabel("Name of one").fill("dev server");
  await terminal.named("three").click();
  await terminal.expectNames("dev server", "two", "three");
  await expectStored(scene, task.id, ["dev server", "two", "three"]);

  const from = await terminal.named("dev server").boundingBox();
  const to = await terminal.named("three").boundingBox();
  if (from === null || to === null) throw new Error("the tabs are not to be seen");
  await tab.page.mouse.move(from.x + 20, from.y + 10);
  await tab.page.mouse.down();
  await tab.page.mouse.move(to.x + to.width - 4, to.y + 10, { steps: 5 });
  await terminal.expectNames("two", "three", "dev server");
  await tab.page.mouse.up();
  await expectStored(scene, task.id, ["two", "three", "dev server"]);

  await terminal.named("three").click();
  const [row] = (await rowsOf(scene, task.id)).filter(({ name }) => name === "three");
  await terminal.named("three").locator("[data-close]").click();
  await tab.dialog("Close the shell").getByText("This ends the shell and everything running in it").waitFor();
  await tab.button("Keep it open").click();
  await terminal.expectNames("two", "three", "dev server");
  await terminal.named("three").locator("[data-close]").click();
  await tab.button("Close shell").click();
  await terminal.expectNames("two", "dev server");
  await terminal.expectActive("two");
  await expectStored(scene, task.id, ["two", "dev server"]);
  expect(existsSync(`/proc/${row?.pid}`)).toBe(false);
});

test("what one browser tab does to the shells shows in the others at once", async () => {
  const { scene, task, terminal } = await open(["one", "two"]);
  await using _ = scene;
  const other = new PanelTerminal(await scene.visitor.open(`/?task=${task.id}`));
  await other.expectNames("one", "two");
  await other.named("two").click();
  await other.expectActive("two");

  await terminal.tab.button("New shell").click();
  await other.expectNames("one", "two", "Shell 1");
  await terminal.expectActive("Shell 1");
  await terminal.expectKeyboard();
  await terminal.named("Shell 1").dblclick();
  await terminal.tab.page.getByLabel("Name of Shell 1").fill("tests");
  await terminal.tab.press("Enter", "Shift+ArrowLeft");
  await other.expectNames("one", "tests", "two");
  await other.expectActive("two");

  await terminal.named("two").click();
  await terminal.expectKeyboard();
  await terminal.named("two").focus();
  await terminal.tab.press("Delete");
  await terminal.tab.button("Close shell").click();
  await other.expectNames("one", "tests");
  await other.tab.toast("two is gone").waitFor();
  await other.expectActive("Terminal");
});

test("names, order, the active tab and the very shells survive a server that is killed", async () => {
  const { scene, task, terminal, tab } = await open(["one", "two", "three"], { isProcess: true });
  await using _ = scene;
  scene.visitor.expectConsole(/ERR_|WebSocket|status of 50/);
  await terminal.named("two").click();
  const pid = await terminal.pid();
  await tab.press("Control+Backquote");
  await terminal.named("two").focus();
  await tab.press("Shift+ArrowRight");
  await terminal.expectNames("one", "three", "two");
  await expectStored(scene, task.id, ["one", "three", "two"]);
  await scene.server.kill("SIGKILL");
  await tab.expectConnection("Reconnecting…");
  await scene.server.restart();
  await tab.expectConnection("Live");
  await terminal.expectNames("one", "three", "two");
  await terminal.expectActive("two");
  await terminal.expectLive();
  await tab.press("Control+Backquote");
  expect(await terminal.pid()).toBe(pid);
  await tab.page.reload();
  await terminal.expectNames("one", "three", "two");
  await terminal.expectActive("two");
  expect(await terminal.pid()).toBe(pid);
});

test("a shell that ended says so and closes without a question; one that is frozen says so, and one whose host dies is gone", async () => {
  const { scene, task, terminal, tab } = await open(["ends", "dies"]);
  await using _ = scene;
  await terminal.named("ends").click();
  await terminal.enter("exit 3");
  await tab.panel().getByText("The program ended with exit code 3.").waitFor();
  await terminal.expectNames("ends, ended", "dies");
  await terminal.named(/^ends/).locator("[data-close]").click();
  await terminal.expectNames("dies");
  await expectStored(scene, task.id, ["dies"]);

  await terminal.named("dies").click();
  await terminal.expectLive();
  const [row] = await rowsOf(scene, task.id);
  const shell = { ...task, sessionId: row?.id ?? "" };
  process.kill(scene.sessions.hostOf(shell), "SIGSTOP");
  await terminal.named(/Not answering/).waitFor({ timeout: 20_000 });
  await tab
    .panel()
    .getByText(/isn't answering. The shell was left alone/)
    .waitFor();
  process.kill(scene.sessions.hostOf(shell), "SIGCONT");
  await terminal.expectLive();
  await terminal.expectNames("dies");
  scene.sessions.killHost(shell);
  await tab.toast("dies is gone").waitFor();
  await terminal.expectNames();
  await terminal.expectActive("Terminal");
});

test("shells can be opened after the agent has ended, and go with the worktree", async () => {
  const { scene, task, terminal, tab } = await open();
  await using _ = scene;
  await scene.sessions.act(task.id, "stop");
  await scene.sessions.ended(task.id);
  await tab.button("New shell").click();
  await terminal.expectActive("Shell 1");
  await terminal.enter("echo $((40+2))");
  await terminal.sees("42");
  await tab.button("Retry").click();
  await terminal.expectNames();
  await terminal.expectActive("Terminal");
});

test("every refusal is said in words: too many shells, no worktree, a worktree that is not there", async () => {
  const { scene, task, terminal, tab } = await open();
  await using _ = scene;
  scene.visitor.expectConsole(/status of (429|409)/);
  for (let i = 0; i < LIMITS.shellsPerTask; i++) await scene.server.post(`/api/tasks/${task.id}/shells`);
  await terminal.named(`Shell ${LIMITS.shellsPerTask}`).waitFor({ state: "attached" });
  await tab.button("New shell").click();
  await tab.toast(`A task can have at most ${LIMITS.shellsPerTask} shells`).waitFor();
  await terminal.expectActive("Terminal");

  const idle = await scene.add("idle");
  await tab.page.goto(`${scene.server.url}?task=${idle.id}`);
  await tab.button("New shell").click();
  await tab.toast("Start the agent first").waitFor();

  const lost = await scene.sessions.running(undefined, { title: ": lost" });
  await Bun.$`mv ${lost.worktreePath} ${lost.worktreePath}-moved`;
  await tab.page.goto(`${scene.server.url}?task=${lost.id}`);
  await tab.button("New shell").click();
  await tab.toast("no longer exists").waitFor();
  await Bun.$`mv ${lost.worktreePath}-moved ${lost.worktreePath}`;
  await tab.button("Try again").click();
  await terminal.expectActive("Shell 1");
});

test("a file that is on its way when its tab is left is said to be lost", async () => {
  const { scene, tab, terminal } = await open(["one"]);
  await using _ = scene;
  scene.visitor.expectConsole(/ERR_/);
  const asked = Promise.withResolvers<void>();
  await intercept(tab.page, /\/files\?/, () => asked.resolve()); // and never answered
  await terminal.expectLive();
  await tab.page.getByLabel("Terminal input").evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(["bytes"], "picture.png", { type: "image/png" }));
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await asked.promise;
  await terminal.named("one").click();
  await tab.toast("Couldn't attach picture.png").waitFor();
});

test("axe finds nothing on the tabs, their menu and their question", async () => {
  const { scene, terminal, tab } = await open(["one", "a name that is far too long to be shown in one tab"]);
  await using _ = scene;
  await terminal.named("one").click();
  await terminal.expectLive();
  await terminal.expectKeyboard();
  await expectClean(tab, "tabs");
  await tab.button("Actions for one").click();
  await tab.dialog("one").waitFor();
  await expectClean(tab, "menu");
  await tab.page.getByRole("option", { name: "Rename" }).click();
  await tab.page.getByLabel("Name of one").waitFor();
  await expectClean(tab, "rename");
  await tab.press("Escape", "Delete");
  await tab.dialog("Close the shell").waitFor();
  await expectClean(tab, "question");
});

test("on a phone the tabs fit a thumb, and the menu beside them does the rest", async () => {
  const { scene, task, terminal, tab } = await open(["one", "two"], { screen: PHONE });
  await using _ = scene;
  await terminal.named("two").tap();
  await terminal.expectActive("two");
  await expectFits(tab);
  await tab.button("Actions for two").tap();
  await tab.page.getByRole("option", { name: "Move left" }).tap();
  await terminal.expectNames("two", "one");
  await tab.button("Actions for two").tap();
  await tab.page.getByRole("option", { name: "New shell" }).tap();
  await terminal.expectActive("Shell 1");
  await terminal.named("two").tap();
  await tab.button("Actions for two").tap();
  await tab.page.getByRole("option", { name: "Close…" }).tap();
  await tab.button("Close shell").tap();
  await terminal.expectNames("one", "Shell 1");
  await expectStored(scene, task.id, ["one", "Shell 1"]);
});
