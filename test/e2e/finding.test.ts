import { expect, test } from "bun:test";
import { withBrowser } from "../support/browser.ts";

const browser = withBrowser();

test("the palette's arrows go round, and a click outside closes it", async () => {
  await using scene = await browser.board();
  const { tab } = scene;
  await tab.press("Control+k", "ArrowUp");
  const last = tab.page.getByRole("option").last();
  expect(await last.getAttribute("aria-selected")).toBe("true");
  await tab.press("ArrowDown");
  expect(await tab.page.getByRole("option").first().getAttribute("aria-selected")).toBe("true");
  await tab.page.mouse.click(5, 5);
  await tab.dialog("Command palette").waitFor({ state: "detached" });
});

test("the theme follows the system until it is chosen, and the choice is there before the first paint", async () => {
  await using scene = await browser.board({}, undefined, "light");
  const { tab, visitor, server } = scene;
  const expectTheme = (theme: string) =>
    tab.waitFor((wanted) => document.documentElement.dataset.theme === wanted, theme);
  const chosen = async () =>
    (await visitor.context.cookies()).find(({ name }) => name === "banto_theme")?.value;
  await expectTheme("light");
  await tab.page.emulateMedia({ colorScheme: "dark" });
  await expectTheme("dark");

  await tab.button("Theme: system").click();
  await expectTheme("light");
  while ((await chosen()) !== "light") await Bun.sleep(10);
  const answer = await visitor.context.request.get(server.url);
  expect(await answer.text()).toContain('<html data-theme="light"');
  await tab.page.reload();
  await tab.button("Theme: light").click();
  await expectTheme("dark");
  await tab.press("Control+k");
  await tab.type("theme: system");
  await tab.press("Enter");
  while ((await chosen()) !== undefined) await Bun.sleep(10);
  expect(await (await visitor.context.request.get(server.url)).text()).not.toContain("data-theme");
});
