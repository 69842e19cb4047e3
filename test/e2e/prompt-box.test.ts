import { expect, test } from "bun:test";
import { AgentScene, ask, doing } from "../support/agent-scene.ts";
import { PHONE, withBrowser } from "../support/browser.ts";
import { writeTask } from "../support/database.ts";
import { deafen } from "../support/deaf.ts";
import { intercept } from "../support/intercept.ts";
import { SessionScene } from "../support/session-scene.ts";
import type { Tab } from "../support/visitor.ts";

const browser = withBrowser();

/** An empty box between two lines is how agents without hooks wait for a prompt. */
const BOX = "printf '╭──────────╮\\n│ > │\\n╰──────────╯\\n\\033[2A\\033[4C'; exec sleep 1000";

const LONG = Array.from({ length: 40 }, (_, i) => `Line ${i} of what it said.`).join("\n");

/** What is sent from now on, in place of the agent. */
async function catchPrompts(tab: Tab): Promise<string[]> {
  const sent: string[] = [];
  await intercept(tab.page, "**/terminal/input", (route) => {
    sent.push(route.request().postData() ?? "");
    return route.fulfill({ status: 204 });
  });
  return sent;
}

test("a refusal keeps the text and says why; card and panel share what is typed", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 404|status of 409|WebSocket|4404/);
  await scene.add("talks", doing("finished", { lastReply: LONG }));
  await tab.card("talks").getByRole("textbox", { name: "Next prompt" }).waitFor();
  await tab.card("talks").focus();
  await tab.press("i");
  await tab.type("Go on");
  await tab.press("Shift+Enter");
  await tab.type("please");
  await tab.press("Enter");
  const onCard = tab.card("talks").getByRole("textbox", { name: "Next prompt for talks" });
  await tab.card("talks").getByText("Couldn't send:").waitFor();
  expect(await onCard.inputValue()).toBe("Go on\nplease");
  await onCard.press("Escape");
  await tab.expectFocus("talks");

  await tab.press("Enter");
  const panel = tab.panel();
  const inPanel = panel.getByRole("textbox", { name: "Next prompt for talks" });
  expect(await inPanel.inputValue()).toBe("Go on\nplease");
  await inPanel.fill("Changed");
  expect(await onCard.inputValue()).toBe("Changed");
  await panel.getByRole("button", { name: "Show all" }).click();
  await panel.getByRole("region", { name: "Last reply" }).getByText("Line 39").scrollIntoViewIfNeeded();
});

test("the palette leads to the next prompt as i does", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  await scene.add("talks", doing("finished"));
  const field = tab.card("talks").getByRole("textbox", { name: "Next prompt" });
  await field.waitFor();
  await tab.card("talks").focus();
  await tab.press("Control+k");
  await tab.type("write the next prompt");
  await tab.press("Enter");
  await tab.type("Go on");
  expect(await field.inputValue()).toBe("Go on");
});

test("a prompt is never typed into a dialog: what is asked meanwhile takes the box away and keeps the text", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  const sent = await catchPrompts(tab);
  const task = await scene.add("talks", doing("finished", { lastReply: "Done." }));
  const field = tab.card("talks").getByRole("textbox", { name: "Next prompt for talks" });
  await field.fill("Now the rest");
  await scene.tell(task, doing("permission", { asks: ask() }));
  await field.waitFor({ state: "detached" });
  await scene.tell(task, doing("finished", { lastReply: "Done." }));
  expect(await field.inputValue()).toBe("Now the rest");
  await field.press("Enter");
  await tab.waitFor(() => document.querySelector<HTMLTextAreaElement>("[data-prompt]")?.value === "", null);
  expect(sent).toEqual([JSON.stringify({ text: "Now the rest", submit: true, prompt: true })]);
});

test("a page that has not heard yet what is asked is refused by the server, and keeps the text", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, visitor, sessions } = scene;
  visitor.expectConsole(/status of 409/);
  const task = await scene.start("talks", BOX);
  await sessions.until(task.id, ({ activity }) => activity?.kind === "finished");
  await deafen(tab.page);
  await tab.page.reload();
  const field = tab.card(": talks").getByRole("textbox", { name: "Next prompt" });
  await field.fill("Now the rest");
  writeTask(scene.server, task.id, doing("permission", { asks: ask() }));
  await field.press("Enter");
  await tab
    .card(": talks")
    .getByText("Couldn't send: The agent is asking something. Answer that first.")
    .waitFor();
  expect(await field.inputValue()).toBe("Now the rest");
  const { body } = await scene.server.get<{ text: string }>(`/api/tasks/${task.id}/terminal/screen`);
  expect(body.text).not.toContain("Now the rest");
});

test("the Enter that ends an input method's conversion sends nothing, told by its number alone as in Safari", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  const sent = await catchPrompts(tab);
  await scene.add("talks", doing("finished", { lastReply: "Done." }));
  const field = tab.card("talks").getByRole("textbox", { name: "Next prompt for talks" });
  await field.fill("日本");
  const cdp = await tab.page.context().newCDPSession(tab.page);
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
  await cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
  await tab.type("語");
  await tab.press("Enter");
  await tab.waitFor(() => document.querySelector<HTMLTextAreaElement>("[data-prompt]")?.value === "", null);
  expect(sent).toEqual([JSON.stringify({ text: "日本語", submit: true, prompt: true })]);
});

test("a picture pasted into the box is stored for the agent, and its path stands where the caret was", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  const task = await scene.start("draws", BOX);
  await sessions.until(task.id, ({ activity }) => activity?.kind === "finished");
  const field = tab.card(": draws").getByRole("textbox", { name: "Next prompt" });
  await field.fill("Make  look better");
  await field.evaluate((element: HTMLTextAreaElement) => {
    element.setSelectionRange(5, 5);
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([new Uint8Array([137, 80, 78, 71])], "shot.png", { type: "image/png" }));
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await tab.waitFor(
    () => /^Make \S+shot\.png {1,2}look better$/.test(document.querySelector("textarea")?.value ?? ""),
    null,
  );
  const path = /\S+shot\.png/.exec(await field.inputValue())?.[0] ?? "";
  expect(new Uint8Array(await Bun.file(path).arrayBuffer())).toEqual(new Uint8Array([137, 80, 78, 71]));
});

test("on a phone the box stays above a keyboard that lies over the page", async () => {
  await using scene = await SessionScene.open(browser, { screen: PHONE });
  const { tab, sessions } = scene;
  const task = await scene.start("talks", BOX);
  await sessions.until(task.id, ({ activity }) => activity?.kind === "finished");
  await tab.page.getByRole("tab", { name: /Active/ }).tap();
  await tab.card(": talks").tap({ position: { x: 30, y: 15 } });
  await tab.page.locator("[data-screen]", { hasText: ">" }).waitFor({ state: "attached" });
  const field = tab.panel().getByRole("textbox", { name: "Next prompt" });
  await field.tap();
  await tab.waitFor(() => document.activeElement?.matches("[data-prompt]"), null);
  await tab.page.evaluate(() => {
    const { visualViewport } = window;
    Object.defineProperty(visualViewport, "height", { value: innerHeight - 336, configurable: true });
    visualViewport?.dispatchEvent(new Event("resize"));
  });
  await tab.panel().getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  await tab.type("Still here");
  expect(await field.inputValue()).toBe("Still here");
  expect(await field.isVisible()).toBe(true);
});
