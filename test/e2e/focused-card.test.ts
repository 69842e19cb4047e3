import { expect, test } from "bun:test";
import { AgentScene, ask, doing } from "../support/agent-scene.ts";
import { withBrowser } from "../support/browser.ts";
import { PanelTerminal } from "../support/panel-terminal.ts";
import { beSeen } from "../support/seen.ts";
import { SessionScene } from "../support/session-scene.ts";

const browser = withBrowser();

test("beside another card's panel, keys act on the card that has the focus", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/WebSocket|4404/);
  const open = await scene.add("open", doing("working"));
  await scene.add("talks", doing("finished", { lastReply: "Done." }));
  await tab.page.goto(`${scene.server.url}?task=${open.id}`);
  await tab.panel().getByLabel("Title").waitFor();
  await tab.card("talks").getByRole("textbox", { name: "Next prompt" }).click();
  await tab.press("Escape");
  await tab.expectFocus("talks");
  await tab.press("p");
  await tab.card("talks").getByLabel("Pinned").waitFor();
  expect(await tab.card("open").getByLabel("Pinned").count()).toBe(0);
  await tab.press(".");
  await tab.dialog("talks").waitFor();
  await tab.press("Escape", "Control+k");
  await tab.type("pin or unpin");
  await tab.press("Enter");
  await tab.card("talks").getByLabel("Pinned").waitFor({ state: "detached" });
  expect(await tab.card("open").getByLabel("Pinned").count()).toBe(0);

  await tab.panel().focus();
  await tab.press("p");
  await tab.card("open").getByLabel("Pinned").waitFor();
});

test("a card whose request was answered by its button is the one that keys act on", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/WebSocket|4404/);
  await tab.page.route("**/session/answer", (route) => route.fulfill({ status: 204 }));
  const open = await scene.add("open", doing("working"));
  await scene.add("wants", doing("permission", { asks: ask() }));
  await tab.page.goto(`${scene.server.url}?task=${open.id}`);
  await tab.panel().getByLabel("Title").waitFor();
  await beSeen(tab);
  await tab.card("wants").getByRole("button", { name: "Allow" }).click();
  await tab.expectFocus("wants");
  await tab.press("e");
  await tab.card("wants").getByLabel("Title").waitFor();
});

test("Delete closes a shell that has ended; on the tabs that stay it does nothing", async () => {
  await using scene = await SessionScene.open(browser, { env: { SHELL: "/bin/sh" } });
  const { tab, sessions } = scene;
  const task = await sessions.running(undefined, { title: ": job" });
  await scene.server.post(`/api/tasks/${task.id}/shells`, { name: "one" });
  await tab.page.goto(`${scene.server.url}?task=${task.id}`);
  const terminal = new PanelTerminal(tab);
  await terminal.named("one").click();
  await terminal.enter("exit");
  await terminal.expectNames("one, ended");
  await sessions.act(task.id, "stop");
  await tab.panel().getByRole("button", { name: "Retry" }).waitFor();
  await terminal.named(/^one/).focus();
  await tab.press("Delete");
  await terminal.expectNames();
  await tab.press("Delete", "Backspace", "ArrowRight");
  await terminal.expectActive("Task");
  expect((await sessions.task(task.id)).deletedAt).toBeNull();
});

test("a button offers its key only while that key answers this request", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/WebSocket|4404/);
  const wants = await scene.add("wants", doing("permission", { asks: ask() }));
  await scene.add("other", doing("working"));
  await tab.page.goto(`${scene.server.url}?task=${wants.id}`);
  const hint = tab.panel().locator("[data-key-hint]").first();
  const expectHint = (state: "visible" | "hidden") => hint.waitFor({ state });
  const width = async () => (await tab.panel().getByRole("button", { name: "Allow" }).boundingBox())?.width;
  await tab.panel().getByText("There is no session here.").waitFor();
  await tab.panel().focus();
  await expectHint("visible");
  const withHint = await width();
  await tab.panel().getByLabel("Title").focus();
  await expectHint("hidden");
  expect(await width()).toBe(withHint);
  await tab.card("wants").focus();
  await expectHint("visible");
  await tab.card("other").focus();
  await expectHint("hidden");
});
