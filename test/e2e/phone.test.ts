import { expect, test } from "bun:test";
import { DESK, LAPTOP, PHONE, withBrowser } from "../support/browser.ts";
import { atRest, coveredByToasts, expectFits, overflows } from "../support/fits.ts";
import { Finger, pointIn } from "../support/pointer.ts";
import { ASKING, SessionScene } from "../support/session-scene.ts";

const browser = withBrowser();
const LONG =
  "A title that is rather long and goes on for more than the two lines that a card has room for on a phone";

test("at 390 px tabs and swipes switch columns", async () => {
  await using scene = await browser.board({ backlog: ["One"], active: ["Two"], done: ["Three"] }, PHONE);
  const { tab } = scene;
  const isShown = (status: string) =>
    tab.waitFor((wanted) => {
      const box = document.querySelector(`[data-column="${wanted}"]`)?.getBoundingClientRect();
      return box !== undefined && Math.abs(box.left) < 2;
    }, status);
  const tabOf = (name: string) => tab.page.getByRole("tab", { name: new RegExp(name) });

  await isShown("active");
  await tabOf("Done").tap();
  await isShown("done");
  expect(await tabOf("Done").getAttribute("aria-selected")).toBe("true");

  const finger = await Finger.on(tab.page);
  // Far enough to pass the middle though Chromium may keep the first move to itself.
  await finger.swipe({ x: 10, y: 500 }, { x: 380, y: 500 });
  await isShown("active");
  await tab.page.locator("[role=tab][aria-selected=true]", { hasText: "Active" }).waitFor();
  await expectFits(tab);
});

test("at 390 px the bottom bar makes tasks, a card opens over the whole screen, and everything fits a thumb", async () => {
  await using scene = await browser.board({ active: [LONG, "Task"] }, PHONE);
  const { tab } = scene;
  await expectFits(tab);
  await tab.button("New task").tap();
  await expectFits(tab);
  await tab.type("From the phone");
  await tab.button("Create").tap();
  await tab.page.locator("input:focus").waitFor();
  await tab.press("Escape");
  await tab.expectColumn("active", ["From the phone", LONG, "Task"]);

  await tab.card(LONG).tap();
  await tab.panel().waitFor();
  await atRest(tab);
  expect(await tab.panel().boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await expectFits(tab);
  await tab.button("New shell").tap();
  await tab.toast("Couldn't open a shell").waitFor();
  expect(await coveredByToasts(tab)).toEqual([]);
  await tab.panel().getByLabel("Close").tap();

  for (const open of ["settings", "shortcuts", "another browser", "add a project"]) {
    await tab.button("More").tap();
    await expectFits(tab);
    await tab.type(open === "settings" ? "switch project" : open);
    await tab.press("Enter");
    if (open === "settings") {
      await tab.type(open);
      await tab.press("Enter");
    }
    await tab.page.getByRole("dialog").getByLabel("Close").waitFor();
    await expectFits(tab);
    await tab.page.getByRole("dialog").getByLabel("Close").tap();
  }
  await tab.card("Task").focus();
  await tab.press("Delete");
  await tab.toast("Task deleted").waitFor();
  await expectFits(tab);
  await tab.button("Undo").tap();
  await scene.expectEverywhere({ active: ["From the phone", LONG, "Task"], backlog: [], done: [] });
});

test("at 390 px the search opens, finds and closes", async () => {
  await using scene = await browser.board({ active: ["Fix login", "Write docs"] }, PHONE);
  const { tab } = scene;
  await tab.page.locator("label:has(#search)").tap();
  await tab.type("docs");
  await tab.expectColumn("active", ["Write docs"]);
  await expectFits(tab);
});

test("at 390 px the first page and the sign-in view fit a thumb", async () => {
  await using scene = await browser.board({}, PHONE);
  const { tab, visitor, server, board } = scene;
  visitor.expectConsole(/status of 401/);
  await server.delete(`/api/projects/${board.project.id}`);
  await tab.page.getByRole("heading", { name: "Add a repository to begin" }).waitFor();
  await expectFits(tab);
  await visitor.context.clearCookies();
  await tab.page.reload();
  await tab.page.getByRole("heading", { name: "Sign in to banto" }).waitFor();
  await expectFits(tab);
});

test("at 1024 × 768 the three columns stand side by side, with the panel open too", async () => {
  await using scene = await browser.board({ backlog: [LONG], active: ["Two"], done: ["Three"] }, LAPTOP);
  const { tab } = scene;
  expect(await overflows(tab)).toEqual([]);
  for (const status of ["backlog", "active", "done"] as const) {
    const { x } = await pointIn(tab.column(status), 1);
    expect(x).toBeLessThanOrEqual(LAPTOP.width);
  }
  await tab.card("Two").click();
  await tab.panel().waitFor();
  expect((await tab.panel().boundingBox())?.width).toBeGreaterThan(400);
  const { x } = await pointIn(tab.panel(), 1);
  expect(x).toBeLessThanOrEqual(LAPTOP.width);
  await tab.card("Two").scrollIntoViewIfNeeded();
  const rightOf = async (status: "active" | "done") => (await pointIn(tab.column(status), 1)).x;
  const left = async () => (await pointIn(tab.panel(), 0)).x;
  expect(await rightOf("active")).toBeLessThanOrEqual(await left());
  await tab.resize(DESK);
  expect(await rightOf("done")).toBeLessThanOrEqual(await left());
});

test("at 390 px a terminal fits a thumb, and while the keyboard is up it has the room to itself", async () => {
  await using scene = await SessionScene.open(browser, { screen: PHONE });
  const { tab } = scene;
  await scene.start("terminal", ASKING);
  await tab.page.getByRole("tab", { name: /Active/ }).tap();
  await tab.card(": terminal").tap();
  await tab.page.locator("[data-screen]", { hasText: "Go on?" }).waitFor({ state: "attached" });
  await expectFits(tab);

  const stop = tab.panel().getByRole("button", { name: "Stop" });
  const finger = await Finger.on(tab.page);
  await finger.tap(await pointIn(tab.page.locator("canvas")));
  await tab.resize({ width: 390, height: 480 });
  await stop.waitFor({ state: "hidden" });
  await tab.panel().getByRole("tab", { name: "Terminal" }).waitFor();
  const bar = tab.page.getByRole("toolbar", { name: "Terminal keys" });
  await tab.waitFor(() => {
    const cursor = document.querySelector("textarea")?.getBoundingClientRect();
    const keys = document.querySelector("[role=toolbar]")?.getBoundingClientRect();
    return cursor !== undefined && keys?.bottom === 480 && cursor.bottom <= keys.top;
  }, null);
  await bar.getByLabel("Tab", { exact: true }).tap();
  await expectFits(tab);
  await tab.resize(PHONE);
  await stop.waitFor();
  // A photo from the phone, by the real door.
  const photo = { name: "my photo.jpg", mimeType: "image/jpeg", buffer: Buffer.from("not really") };
  await tab.page.locator("input[type=file]").setInputFiles(photo);
  await tab.page.locator("[data-screen]", { hasText: "my-photo" }).waitFor({ state: "attached" });
  await bar.getByLabel("Enter", { exact: true }).tap();
  await tab.panel().getByText("Working").waitFor();
  await tab.button("Delete").tap();
  await tab.toast("Stop the agent first.").waitFor();
  expect(await coveredByToasts(tab)).toEqual([]);
  await tab.page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Stop" }).tap();
  await tab.panel().getByText("The program was ended by SIGTERM.").waitFor();
  expect(await tab.panel().locator("kbd").filter({ visible: true }).count()).toBe(0);
});
