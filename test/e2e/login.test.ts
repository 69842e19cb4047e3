import { expect, test } from "bun:test";
import { withBrowser } from "../support/browser.ts";
import { writeAudit } from "../support/database.ts";
import { followLink, newLink } from "../support/login.ts";
import type { Tab } from "../support/visitor.ts";

const browser = withBrowser();
const REFUSED = /status of 401/;

test("a login link signs in once; used again it explains itself and the token form helps", async () => {
  await using scene = await browser.board({ backlog: ["Secret plan"] });
  const { server } = scene;
  await using stranger = await browser.stranger(server);
  stranger.expectConsole(REFUSED);
  const first = await stranger.follow(server.loginLink);
  await first.expectColumn("backlog", ["Secret plan"]);
  expect(new URL(first.page.url()).search).toBe("");

  await using other = await browser.stranger(server);
  other.expectConsole(REFUSED);
  const { page } = await other.goto(server.loginLink);
  await page.getByRole("button", { name: "Sign in" }).click();
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
  for (const visitor of [phone, scene.visitor]) visitor.expectConsole(REFUSED, /WebSocket|ERR_CONNECTION/);
  const there = await phone.follow(link ?? "");
  await there.expectColumn("backlog", ["Task"]);
  const told = ({ page }: Tab) => page.getByRole("status", { name: "What others did" });
  const now = told(tab).getByText("Another browser signed in");
  await now.waitFor();
  await told(tab)
    .getByText(/^Chrome on \w+, from this machine\. If it wasn't you/)
    .waitFor();
  expect(await told(there).count()).toBe(0);

  // It stays until somebody has seen it, and a page that was away for long hears of it too.
  await tab.page.reload();
  await now.waitFor();
  await tab.button("Dismiss").click();
  await now.waitFor({ state: "detached" });
  const who = { by: "browser", name: "Safari on iOS", login: "0".repeat(12) } as const;
  writeAudit(server, { who, action: "sign_in", detail: { from: "10.0.0.9" } });
  await server.restart();
  await told(tab).getByText("Safari on iOS, from 10.0.0.9.").waitFor();
});

test("a browser with only one half of a login is told to sign in again, and a link opened in a whole one is spent", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, visitor, server } = scene;
  visitor.expectConsole(REFUSED);
  const link = await newLink(server);
  await tab.page.goto(link);
  await tab.expectColumn("backlog", ["Task"]);
  await tab.page.waitForURL(server.url);
  expect((await followLink(server, link)).status).toBe(401);

  await tab.page.evaluate(() => localStorage.clear()); // as if an older banto had signed it in
  await tab.page.reload();
  await tab.page.getByText("This browser has only half of its login").waitFor();
  const again = await visitor.follow(await newLink(server));
  await again.expectColumn("backlog", ["Task"]);
  await tab.expectColumn("backlog", ["Task"]); // which waited beside it
});
