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

/** What is sent from now on. */
async function hearPrompts(tab: Tab): Promise<string[]> {
  const sent: string[] = [];
  await intercept(tab.page, "**/prompts", (route) => {
    sent.push(route.request().postData() ?? "");
    return route.continue();
  });
  return sent;
}

/** The line about what waits. */
const waitsOn = (tab: Tab, name: string, text: string) =>
  tab.card(name).locator("[data-queued]", { hasText: text }).waitFor();

test("a refusal keeps the text and says why; card and panel share what is typed", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 404|status of 409|WebSocket|4404/);
  const task = await scene.add("talks", doing("finished", { lastReply: LONG }));
  await tab.card("talks").getByRole("textbox", { name: "Next prompt" }).waitFor();
  scene.write(task, { sessionStatus: "done" });
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
  const sent = await hearPrompts(tab);
  const task = await scene.add("talks", doing("finished", { lastReply: "Done." }));
  const field = tab.card("talks").getByRole("textbox", { name: "Next prompt for talks" });
  await field.fill("Now the rest");
  await scene.tell(task, doing("permission", { asks: ask() }));
  await field.waitFor({ state: "detached" });
  await scene.tell(task, doing("finished", { lastReply: "Done." }));
  expect(await field.inputValue()).toBe("Now the rest");
  await field.press("Enter");
  await tab.waitFor(() => document.querySelector<HTMLTextAreaElement>("[data-prompt]")?.value === "", null);
  expect(sent).toEqual([JSON.stringify({ text: "Now the rest" })]);
});

test("what is sent by a page that has not heard yet what is asked waits on the card", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  const task = await scene.start("talks", BOX);
  await sessions.until(task.id, ({ activity }) => activity?.kind === "finished");
  await deafen(tab.page);
  await tab.page.reload();
  const field = tab.card(": talks").getByRole("textbox", { name: "Next prompt" });
  await field.fill("Now the rest");
  writeTask(scene.server, task.id, doing("permission", { asks: ask() }));
  await field.press("Enter");
  await waitsOn(tab, ": talks", "Queued:Now the rest");
  const { body } = await scene.server.get<{ text: string }>(`/api/tasks/${task.id}/terminal/screen`);
  expect(body.text).not.toContain("Now the rest");
});

test("what waits is shown in the panel, sent at once, edited or discarded", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 404|status of 409|WebSocket|4404/);
  const task = await scene.add("talks", doing("working"));
  await tab.card("talks").focus();
  await tab.press("Enter");
  const panel = tab.panel();
  const field = panel.getByRole("textbox", { name: "Next prompt for talks" });
  const waiting = panel.getByRole("region", { name: "Prompts that wait" });
  for (const text of ["First this", "Then that"]) {
    await field.fill(text);
    await field.press("Enter");
    await waiting.getByText(text).waitFor();
  }
  await waiting.getByText("Queued. Goes out when the turn is over.").waitFor();
  await waiting.getByText("Queued. Goes out after the one before it.").waitFor();
  await waitsOn(tab, "talks", "Queued:First this+and 1");
  const second = waiting.getByRole("listitem").filter({ hasText: "Then that" });
  await second.getByRole("button", { name: "Send now" }).click();
  await tab.waitFor(
    () => /^Then that/.test(document.querySelector("[data-panel] li[data-queued]")?.textContent ?? ""),
    null,
  );
  await second.getByRole("button", { name: "Edit" }).click();
  await second.waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("Then that");
  await waiting.getByRole("button", { name: "Discard" }).click();
  await waiting.waitFor({ state: "detached" });
  await tab.page.getByRole("button", { name: "Undo" }).click();
  expect(await field.inputValue()).toBe("First this\nThen that");
  // What nobody knows of is left to a person.
  const prompt = {
    id: "p",
    sessionId: `session-of-${task.id}`,
    text: "Perhaps",
    state: "unsure",
    at: task.createdAt,
  } as const;
  await scene.tell(task, { prompts: [{ ...prompt, reason: "banto was stopped while it was being sent." }] });
  await waiting.getByText("May have been sent. banto was stopped while it was being sent.").waitFor();
  await waiting.getByRole("button", { name: "Send again" }).waitFor();
  await waitsOn(tab, "talks", "May have been sent:Perhaps");
});

test("the Enter that ends an input method's conversion sends nothing, told by its number alone as in Safari", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  const sent = await hearPrompts(tab);
  await scene.add("talks", doing("finished", { lastReply: "Done." }));
  const field = tab.card("talks").getByRole("textbox", { name: "Next prompt for talks" });
  await field.fill("日本");
  const cdp = await tab.page.context().newCDPSession(tab.page);
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
  await cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
  await tab.type("語");
  await tab.press("Enter");
  await tab.waitFor(() => document.querySelector<HTMLTextAreaElement>("[data-prompt]")?.value === "", null);
  expect(sent).toEqual([JSON.stringify({ text: "日本語" })]);
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
