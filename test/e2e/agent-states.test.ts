import { expect, test } from "bun:test";
import { AgentScene, ask, doing } from "../support/agent-scene.ts";
import { expectClean } from "../support/axe.ts";
import { PHONE, withBrowser } from "../support/browser.ts";
import { expectFits } from "../support/fits.ts";

const browser = withBrowser();

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** One agent in each state there is. */
async function everyState(scene: AgentScene) {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await scene.add("works", doing("working"));
  await scene.add("idles", doing("idle", { reason: "Interrupted." }));
  await scene.add("limited", doing("limited", { reason: "The 5-hour limit is reached.", until }));
  await scene.add("finished", doing("finished", { lastReply: "All tests pass." }));
  await scene.add(
    "goes on",
    doing("background", {
      ...{ reason: "Still running: npm run dev.", lastReply: "The server is up." },
      less: "Its hooks don't reach banto, so what it asks can only be answered in its terminal.",
    }),
  );
  await scene.add(
    "troubled",
    doing("trouble", { since: minutesAgo(1), reason: "Not logged in. Run claude and log in." }),
  );
  await scene.add("asks", doing("question", { since: minutesAgo(3) }));
  await scene.add(
    "wants",
    doing("permission", { since: minutesAgo(2), asks: ask({ always: "npm test in this directory" }) }),
  );
}

test("every state has its word and its reason, and Active stands by need, the longest wait first", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  await everyState(scene);
  await tab.expectColumn("active", [
    "asks",
    "wants",
    "troubled",
    "goes on",
    "finished",
    "works",
    "limited",
    "idles",
  ]);
  const words = await tab
    .column("active")
    .locator("[data-card] [data-state]")
    .evaluateAll((marks) => marks.map((mark) => mark.textContent));
  expect(words).toEqual([
    "Has a question",
    "Needs permission",
    "Blocked",
    "Background work",
    "Turn finished",
    "Working",
    "Rate-limited",
    "Idle",
  ]);
  await tab.card("troubled").getByText("Not logged in. Run claude and log in.").waitFor();
  await tab
    .card("limited")
    .getByText(/The 5-hour limit is reached\. Until (\w+, \w+ \d+ )?\d+:\d\d/) // with the day where that is tomorrow
    .waitFor();
  await tab.card("finished").getByText("All tests pass.").waitFor();
  await tab.card("goes on").getByText("Still running: npm run dev.").waitFor();
  await tab.card("goes on").getByText("The server is up.").waitFor();
  await tab.card("goes on").getByLabel("banto sees less of this version. Its hooks").waitFor();
  await tab.button("3 need you").waitFor();
  expect(await tab.page.title()).toBe("(3) banto");
  const icon = await tab.page.locator("link[rel=icon]").getAttribute("href");
  expect(decodeURIComponent(icon ?? "")).toContain(">3</text>");

  await tab.press("n");
  await tab.expectFocus("asks");
  await tab.press("n", "n");
  await tab.expectFocus("troubled");
});

test("a card that changes for another reason keeps its place among those who wait", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, server } = scene;
  const first = await scene.add("first", doing("permission", { since: minutesAgo(9), asks: ask() }));
  await scene.add("second", doing("permission", { since: minutesAgo(5), asks: ask() }));
  await tab.expectColumn("active", ["first", "second"]);
  await server.patch(`/api/tasks/${first.id}`, { title: "first, renamed" });
  await tab.expectColumn("active", ["first, renamed", "second"]);
});

test("what the page doesn't know or can't draw is said on its card, and the rest of the board is as ever", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab, visitor } = scene;
  visitor.expectConsole(/TypeError|WebSocket|4404/);
  await scene.add("stranger", doing("working"));
  await scene.add("broken", doing("permission", { asks: ask() }));
  await scene.add("fine", doing("finished", { lastReply: "All tests pass." }));
  await tab.page.route("**/api/tasks", async (route) => {
    const response = await route.fetch();
    const odd: Record<string, object> = {
      stranger: { status: "review", agent: "newcomer", activity: { kind: "dreaming", since: minutesAgo(1) } },
      broken: { asks: { ...ask(), detail: null } },
    };
    const tasks = (await response.json()) as { title: string }[];
    await route.fulfill({ response, json: tasks.map((task) => ({ ...task, ...odd[task.title] })) });
  });
  await tab.page.reload();
  await tab.expectState("stranger", "Working");
  await tab.card("fine").getByText("All tests pass.").waitFor();
  await tab.card("broken").getByText("What the agent is asking couldn't be shown.").waitFor();
  await tab.card("broken").getByText("broken").click();
  await tab.panel().getByText("What the agent is asking couldn't be shown.").waitFor();
  await tab.panel().getByRole("tab", { name: "Terminal" }).waitFor();
});

test("axe finds nothing on cards, panel and dialogs of agents", async () => {
  await using scene = await AgentScene.open(browser);
  const { tab } = scene;
  scene.visitor.expectConsole(/WebSocket|4404/);
  await everyState(scene);
  await tab.expectState("wants", "Needs permission");
  await expectClean(tab, "board");
  for (const title of ["wants", "finished", "goes on", "limited"]) {
    await tab.card(title).click();
    await tab.panel().getByRole("heading", { name: title }).waitFor({ state: "attached" });
    await expectClean(tab, title);
  }
  await tab.page.getByRole("tab", { name: "Task" }).click();
  await tab.page.locator("summary", { hasText: "Agent options" }).click();
  await expectClean(tab, "agent options");
  await tab.button("Notifications: off").click();
  await tab.dialog("Notifications and sound").waitFor();
  await expectClean(tab, "notifications");
});

test("at 390 px everything fits and a thumb can hit it", async () => {
  await using scene = await AgentScene.open(browser, { screen: PHONE });
  const { tab } = scene;
  scene.visitor.expectConsole(/WebSocket|4404/);
  await everyState(scene);
  await tab.page.getByRole("tab", { name: /Active/ }).tap();
  await tab.expectState("wants", "Needs permission");
  await expectFits(tab);
  await tab.card("wants").tap({ position: { x: 30, y: 15 } });
  await tab.panel().getByRole("button", { name: "Allow", exact: true }).waitFor();
  await expectFits(tab);
});
