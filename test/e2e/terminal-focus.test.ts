import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withBrowser } from "../support/browser.ts";
import { PanelTerminal } from "../support/panel-terminal.ts";
import { SessionScene } from "../support/session-scene.ts";
import type { Tab } from "../support/visitor.ts";

const browser = withBrowser();

/** Writes down every byte that is typed at it. */
const RECORDER = ": >typed; stty raw -echo; printf ready; exec cat >typed";

/** The program comes to have received exactly this. */
async function expectTyped(worktreePath: string | null, expected: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const typed = readFileSync(join(worktreePath ?? "", "typed"), "latin1");
    if (typed === expected) return;
    if (Date.now() > deadline || typed.length > expected.length)
      throw new Error(`it received ${JSON.stringify(typed)}, not ${JSON.stringify(expected)}`);
    await Bun.sleep(5);
  }
}

/** Whether the terminal's frame says that it has the keyboard. */
const isFramed = (tab: Tab) =>
  tab
    .panel()
    .locator(".terminal-frame")
    .evaluate((frame) => getComputedStyle(frame, "::after").content !== "none");

async function open() {
  const scene = await SessionScene.open(browser);
  try {
    const task = await scene.sessions.running(RECORDER, { title: ": job" });
    await scene.tab.expectState(": job", "Working");
    return { scene, task, tab: scene.tab, terminal: new PanelTerminal(scene.tab) };
  } catch (error) {
    await scene[Symbol.asyncDispose]();
    throw error;
  }
}

test("Enter on a card leads straight into its terminal, where every key is the program's but one", async () => {
  const { scene, task, tab, terminal } = await open();
  await using _ = scene;
  const program = tab.panel().getByText("Keys go to the program");
  await tab.press("j", "Enter");
  await terminal.expectKeyboard();
  await program.waitFor();
  expect(await isFramed(tab)).toBe(true);
  await terminal.sees("ready");
  const { href } = new URL(tab.page.url());
  await tab.type("c/oesrxnpmft.?[]ad19 gtgbgh");
  await tab.press("Control+k", "Control+z", "Escape", "Delete", "Backspace", "ArrowDown", "Enter");
  await expectTyped(task.worktreePath, "c/oesrxnpmft.?[]ad19 gtgbgh\x0b\x1a\x1b\x1b[3~\x7f\x1b[B\r");
  expect(tab.page.url()).toBe(href);
  expect(await tab.page.getByRole("dialog").count()).toBe(0);
  expect((await scene.sessions.task(task.id)).pinned).toBe(false);

  await tab.press("Control+Backquote");
  await tab.expectFocus(": job");
  await tab.panel().getByText("Keys go to banto").waitFor();
  expect(await program.isVisible()).toBe(false);
  expect(await isFramed(tab)).toBe(false);
  await tab.press("?");
  await tab.dialog("Keyboard shortcuts").getByText("Enter or leave the terminal").waitFor();
  await tab.press("Escape", "Control+Backquote");
  await terminal.expectKeyboard();
  await tab.type("!");
  await expectTyped(task.worktreePath, "c/oesrxnpmft.?[]ad19 gtgbgh\x0b\x1a\x1b\x1b[3~\x7f\x1b[B\r!");
});

test("whoever goes from card to card keeps the keyboard, and the panel follows", async () => {
  const { scene, task, tab, terminal } = await open();
  await using _ = scene;
  const other = await scene.sessions.running(RECORDER, { title: ": other" });
  await tab.card(": job").click();
  await terminal.expectKeyboard();
  await tab.press("Control+Backquote");
  await tab.expectFocus(": job");
  for (const title of [": other", ": job", ": other"]) {
    await tab.press(title === ": other" ? "ArrowUp" : "ArrowDown");
    await tab.expectFocus(title);
    await tab.panel().getByRole("heading", { name: title }).waitFor({ state: "attached" });
    await terminal.sees("ready");
    await terminal.expectLive();
    await tab.expectFocus(title);
  }
  await tab.press("Enter");
  await terminal.expectKeyboard();
  await tab.type("here");
  await expectTyped(other.worktreePath, "here");
  await expectTyped(task.worktreePath, "");
});

test("from anywhere on the page the chord leads into the terminal, whichever tab is open", async () => {
  const { scene, task, tab, terminal } = await open();
  await using _ = scene;
  await tab.press("j", "Control+Backquote");
  await terminal.expectKeyboard();
  await terminal.named("History").click();
  await tab.press("Control+Backquote");
  await terminal.expectActive("Terminal");
  await terminal.expectKeyboard();
  await tab.press("Control+Backquote", "/");
  await tab.page.locator("#search").pressSequentially("job");
  await tab.press("Control+Backquote");
  await terminal.expectKeyboard();
  await terminal.sees("ready");
  await tab.type("x");
  await expectTyped(task.worktreePath, "x");
});

test("in full screen the way out leads to the panel, whose keys work", async () => {
  const { scene, tab, terminal } = await open();
  await using _ = scene;
  await tab.card(": job").click();
  await terminal.expectKeyboard();
  await tab.press("Control+Backquote", "f");
  await tab.column("active").waitFor({ state: "hidden" });
  await tab.press("Control+Backquote");
  await terminal.expectKeyboard();
  await tab.press("Control+Backquote");
  await tab.waitFor(() => document.activeElement?.matches("[data-panel]"), null);
  await tab.press("f");
  await tab.column("active").waitFor();
  await tab.press("Escape");
  await tab.panel().waitFor({ state: "detached" });
  await tab.expectFocus(": job");
});

test("a terminal that has ended leaves the keyboard to the board", async () => {
  const { scene, tab, terminal } = await open();
  await using _ = scene;
  const ended = await scene.start("ended", "echo last words; exit 1");
  await scene.sessions.ended(ended.id);
  await tab.expectState(": ended", "Failed");
  await tab.card(": ended").click();
  await terminal.sees("last words");
  await tab.press("?");
  await tab.dialog("Keyboard shortcuts").waitFor();
  await tab.press("Escape", "Control+Backquote");
  await terminal.expectKeyboard();
  await tab.press("Control+Backquote");
  await tab.expectFocus(": ended");
});

test("an agent that starts takes the keyboard from the button that started it, and from nobody who types", async () => {
  const { scene, tab, terminal } = await open();
  await using _ = scene;
  await scene.add("started", RECORDER);
  await tab.card(": started").click();
  await tab.panel().getByRole("button", { name: "Start" }).click();
  await terminal.expectKeyboard();

  const typing = await scene.add("typing", RECORDER);
  await tab.press("Control+Backquote");
  await tab.card(": typing").click();
  const title = tab.panel().getByLabel("Title");
  await title.focus();
  await tab.press("End");
  await scene.sessions.act(typing.id, "start");
  await terminal.sees("ready");
  await tab.type(" on");
  expect(await title.inputValue()).toBe(": typing on");
});
