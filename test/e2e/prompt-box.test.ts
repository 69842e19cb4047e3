import { expect, test } from "bun:test";
import { AgentScene, ask, doing } from "../support/agent-scene.ts";
import { withBrowser } from "../support/browser.ts";

const browser = withBrowser();

const LONG = Array.from({ length: 40 }, (_, i) => `Line ${i} of what it said.`).join("\n");

test("a refusal keeps the text and says why; card and panel share what is typed", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/status of 404|status of 409|WebSocket|4404/);
  await scene.add("talks", doing("finished", { lastReply: LONG }));
  await tab.card("talks").focus();
  await tab.press("i");
  await tab.type("Go on");
  await tab.press("Shift+Enter");
  await tab.type("please");
  await tab.press("Enter");
  const onCard = tab.card("talks").getByRole("textbox", { name: "Next prompt for talks" });
  await tab.card("talks").getByText("Not sent:").waitFor();
  expect(await onCard.inputValue()).toBe("Go on\nplease");
  await onCard.press("Escape");
  await tab.expectFocus("talks");

  await tab.press("Enter");
  const panel = tab.panel();
  const inPanel = panel.getByRole("textbox", { name: "Next prompt for talks" });
  expect(await inPanel.inputValue()).toBe("Go on\nplease");
  await inPanel.fill("Changed");
  expect(await onCard.inputValue()).toBe("Changed");
  await panel.getByRole("button", { name: "All of it" }).click();
  await panel.getByRole("region", { name: "Last reply" }).getByText("Line 39").scrollIntoViewIfNeeded();
});

test("a prompt is never typed into a dialog: what is asked meanwhile takes the box away and keeps the text", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  const sent: string[] = [];
  await tab.page.route("**/terminal/input", (route) => {
    sent.push(route.request().postData() ?? "");
    return route.fulfill({ status: 204 });
  });
  const task = await scene.add("talks", doing("finished", { lastReply: "Done." }));
  const field = tab.card("talks").getByRole("textbox", { name: "Next prompt for talks" });
  await field.fill("Now the rest");
  await scene.tell(task, doing("permission", { asks: ask() }));
  await field.waitFor({ state: "detached" });
  await scene.tell(task, doing("finished", { lastReply: "Done." }));
  expect(await field.inputValue()).toBe("Now the rest");
  await field.press("Enter");
  await tab.waitFor(() => document.querySelector<HTMLTextAreaElement>("[data-prompt]")?.value === "", null);
  expect(sent).toEqual([JSON.stringify({ text: "Now the rest", submit: true })]);
});
