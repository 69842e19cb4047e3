import { expect, test } from "bun:test";
import { withBrowser } from "../support/browser.ts";

const browser = withBrowser();
const REFUSED = /status of 401/;

test("a login link signs in once; used again it explains itself and the token form helps", async () => {
  await using scene = await browser.board({ backlog: ["Secret plan"] });
  const { server } = scene;
  await using stranger = await browser.stranger(server);
  stranger.expectConsole(REFUSED);
  const first = await stranger.open(server.loginLink);
  await first.expectColumn("backlog", ["Secret plan"]);
  expect(new URL(first.page.url()).search).toBe("");

  await using other = await browser.stranger(server);
  other.expectConsole(REFUSED);
  const { page } = await other.goto(server.loginLink);
  await page.getByText("This link has expired or was already used.").waitFor();
  expect(await page.getByText("Secret plan").count()).toBe(0);

  await page.getByLabel("Token").fill("not the token");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Wrong token.").waitFor();

  await page.getByLabel("Token").fill(server.token);
  await page.keyboard.press("Enter");
  await page.getByText("Secret plan").waitFor();
  expect(page.url()).toBe(server.url);
});

test("nothing of the board is shown to someone who is not signed in", async () => {
  await using scene = await browser.board({ backlog: ["Secret plan"] });
  await using stranger = await browser.stranger(scene.server);
  stranger.expectConsole(REFUSED);
  const { page } = await stranger.goto();
  await page.getByRole("heading", { name: "Sign in to banto" }).waitFor();
  const text = await page.locator("body").textContent();
  expect(text).not.toContain("Secret plan");
  expect(text).not.toContain(scene.board.project.name);
  expect(text).not.toContain("Backlog");
});

test("signing out shows the sign-in view here and in the other tab", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor } = scene;
  visitor.expectConsole(REFUSED);
  const other = await visitor.open();
  await tab.page.bringToFront();
  await tab.press("Control+k");
  await tab.type("sign out");
  await tab.press("Enter");
  await tab.page.getByRole("heading", { name: "Sign in to banto" }).waitFor();
  expect(await tab.page.getByText("Task").count()).toBe(0);
  await other.page.getByRole("heading", { name: "Sign in to banto" }).waitFor();
  await tab.page.reload();
  await tab.page.getByRole("heading", { name: "Sign in to banto" }).waitFor();
});

test("a page that was signed out no longer listens to the board", async () => {
  await using scene = await browser.board();
  const { tab, visitor } = scene;
  visitor.expectConsole(REFUSED);
  const opened = tab.page.waitForEvent("websocket", (line) => line.url().includes("/api/events"));
  await tab.page.reload();
  const line = await opened;
  await tab.expectConnection("Live");
  const closed = line.waitForEvent("close");
  await tab.press("Control+k");
  await tab.type("sign out");
  await tab.press("Enter");
  await tab.page.getByRole("heading", { name: "Sign in to banto" }).waitFor();
  await closed;
});

test("a link made on the board signs another browser in", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, server } = scene;
  await tab.press("Control+k");
  await tab.type("another browser");
  await tab.press("Enter");
  const link = await tab
    .dialog("Sign in another browser")
    .getByText(/login\?code=/)
    .textContent();
  await using phone = await browser.stranger(server);
  const there = await phone.open(link ?? "");
  await there.expectColumn("backlog", ["Task"]);
});
