import { expect, test } from "bun:test";
import { LAPTOP, withBrowser } from "../support/browser.ts";

const browser = withBrowser();

test("a key that is held deletes one card, and goes from card to card", async () => {
  await using scene = await browser.board({ backlog: ["One", "Two", "Three", "Four"] });
  const { tab } = scene;
  const hold = async (key: string) => {
    for (let times = 0; times < 3; times += 1) await tab.page.keyboard.down(key);
    await tab.page.keyboard.up(key);
  };
  await tab.press("k");
  await tab.expectFocus("One");
  await hold("Delete");
  await tab.expectFocus("Two");
  await scene.expectEverywhere({ backlog: ["Two", "Three", "Four"], active: [], done: [] });
  await hold("j");
  await tab.expectFocus("Four");
});

test("nothing on the board is covered or cut off: a title, the first card's ring, what is below a toast", async () => {
  const titles = Array.from({ length: 30 }, (_, at) =>
    `${at} ${"a title as long as its card ".repeat(4)}`.trim(),
  );
  await using scene = await browser.board({ backlog: titles }, LAPTOP);
  const { tab } = scene;
  const first = tab.card(titles[0] ?? "");
  await first.focus();
  const { ring, scroller } = await first.evaluate((card) => ({
    ring: card.getBoundingClientRect().top - 3,
    scroller: card.closest("[data-scroller]")?.getBoundingClientRect().top ?? 0,
  }));
  expect(ring).toBeGreaterThanOrEqual(scroller);

  await first.hover();
  const { text, button } = await first.evaluate((card) => {
    const range = document.createRange();
    range.selectNodeContents(card.querySelector("a") as Node);
    return {
      text: range.getBoundingClientRect().right,
      button: card.querySelector("[aria-label^='Actions for']")?.getBoundingClientRect().left ?? 0,
    };
  });
  expect(text).toBeLessThanOrEqual(button);

  await tab.press("Backspace");
  await tab.toast("Task deleted").waitFor();
  const covered = await tab.page.evaluate(() => {
    const toast = document.querySelector("[aria-label=Notifications] > div")?.getBoundingClientRect();
    const bottom = document.querySelector("[data-scroller]")?.getBoundingClientRect().bottom ?? 0;
    return toast === undefined || toast.top < bottom;
  });
  expect(covered).toBe(false);
});
