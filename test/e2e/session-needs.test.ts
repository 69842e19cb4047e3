import { expect, test } from "bun:test";
import { PHONE, withBrowser } from "../support/browser.ts";
import { TestRepository } from "../support/repository.ts";
import { ASKING, SessionScene } from "../support/session-scene.ts";

const browser = withBrowser();

const waits = ({ sessionStatus }: { sessionStatus: string | null }) => sessionStatus === "waiting_for_input";

test("who needs someone is counted, announced once, and n goes from one to the next", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, sessions } = scene;
  await scene.add("quiet");
  const first = await scene.start("first", ASKING);
  await tab.expectAnnouncement(": first needs you.");
  await tab.button("1 needs you").waitFor();
  expect(await tab.page.title()).toBe("(1) banto");
  const second = await scene.start("second", ASKING);
  await tab.button("2 need you").waitFor();

  await tab.press("n");
  await tab.expectFocus(": first");
  await tab.press("n");
  await tab.expectFocus(": second");
  await tab.press("n");
  await tab.expectFocus(": first");

  await tab.button("2 need you").click();
  await tab.panel().getByRole("heading", { name: ": second" }).waitFor({ state: "attached" });
  await sessions.act(second.id, "stop");
  await tab.button("1 needs you").waitFor();
  await sessions.act(first.id, "stop");
  await tab.button("1 needs you").waitFor({ state: "detached" });
  expect(await tab.page.title()).toBe("banto");
});

test("n finds a card that a project or a search hides, also from another page", async () => {
  await using scene = await SessionScene.open(browser);
  const { tab, server } = scene;
  using elsewhere = await TestRepository.create("elsewhere");
  const { body: project } = await server.post<{ id: string }>("/api/projects", { path: elsewhere.path });
  const task = await scene.start("hidden", ASKING);
  await scene.sessions.until(task.id, waits);
  await tab.page.goto(`${server.url}?project=${project.id}`);
  await tab.expectConnection("Live");
  await tab.expectColumn("active", []);
  await tab.press("n");
  await tab.expectFocus(": hidden");

  await tab.press("g", "h");
  await tab.page.getByRole("heading", { name: "History and trash" }).waitFor();
  await tab.press("n");
  await tab.expectFocus(": hidden");
});

test("at 390 px the bottom bar says who needs someone, and opens it", async () => {
  await using scene = await SessionScene.open(browser, { screen: PHONE });
  const { tab } = scene;
  await tab.button("Needs you").waitFor();
  await scene.start("asks", ASKING);
  await tab.button("Needs you: 1").tap();
  await tab.panel().locator("[data-screen]", { hasText: "Go on? [y/N]" }).waitFor();
});
