import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { openStore } from "../../src/db/open.ts";
import { DESK, PHONE, withBrowser } from "../support/browser.ts";

const browser = withBrowser();

const ODD = [
  "x".repeat(500),
  "👩🏽‍💻 deploy 🚀 🇯🇵",
  "إصلاح تسجيل الدخول (login)",
  "ログイン画面を修正する",
  "<img src=x onerror=alert(1)> & <b>bold</b>",
  "2026-11-16",
  "2026-11-16T01:02:03.000Z",
  "**not bold** [link](javascript:alert(1))",
  '{"a": 1}',
  "null",
  "007",
];

for (const screen of [DESK, PHONE]) {
  test(`any text stays the text it is, and inside its card, at ${screen.width} px`, async () => {
    await using scene = await browser.board({}, screen);
    const { tab } = scene;
    if (screen.isPhone) await tab.page.getByRole("tab", { name: "Backlog" }).tap();
    await tab.press("c");
    for (const title of ODD) {
      await tab.page.keyboard.insertText(title);
      await tab.press("Enter");
    }
    await tab.press("Escape");
    await scene.expectEverywhere({ backlog: ODD.toReversed(), active: [], done: [] });
    await tab.page.reload();
    await tab.expectColumn("backlog", ODD.toReversed());

    const outside = await tab.page
      .locator("[data-card]")
      .evaluateAll((cards) =>
        cards
          .filter((card) => card.scrollWidth > card.clientWidth || card.clientHeight > 80)
          .map((card) => card.ariaLabel),
      );
    expect(outside).toEqual([]);
    expect(await tab.page.locator("[data-card] :is(img, b, strong)").count()).toBe(0);

    await tab
      .card(ODD[0] ?? "")
      .locator("a")
      .click();
    expect(await tab.panel().getByLabel("Title").inputValue()).toBe(ODD[0] ?? "");
    const { width } = (await tab.panel().boundingBox()) ?? { width: 0 };
    expect(await tab.panel().evaluate((panel) => panel.scrollWidth)).toBeLessThanOrEqual(Math.ceil(width));
  });
}

test("a description keeps its lines and its odd characters", async () => {
  await using scene = await browser.board({ backlog: ["Task"] });
  const { tab, board } = scene;
  const text = "First line\n\n  indented\t<script>alert(1)</script>\n2026-11-16 🚀\n";
  await tab.card("Task").click();
  using events = await scene.server.events();
  await tab.panel().getByLabel("Description").fill(text);
  await tab.press("Escape");
  await events.until(({ type }) => type === "task");
  expect((await board.column("backlog"))[0]?.description).toBe(text);
  await tab.page.reload();
  await tab.panel().waitFor();
  expect(await tab.panel().getByLabel("Description").inputValue()).toBe(text);
});

test("an x between digits stays an x, in a branch's name too", async () => {
  const names = ["4ccuti3x3r", "4ccuti3×3r"];
  await using scene = await browser.board({ active: names });
  const { tab, server } = scene;
  const store = openStore(server.database);
  const ended = sql`session_status = 'done', session_id = id, session_started_at = created_at`;
  store.db.run(sql`UPDATE tasks SET branch = 'banto/' || title, ${ended}`);
  store.close();
  await tab.page.reload();
  await tab.expectColumn("active", names);
  for (const text of ["[data-card] a", "[data-card] [title^='banto/']"]) {
    const [letter, sign] = await tab.page.locator(text).evaluateAll(async (shown) => {
      await document.fonts.ready;
      return shown.map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return range.getBoundingClientRect().width;
      });
    });
    expect(letter).toBeGreaterThan(0);
    expect(letter).not.toBe(sign ?? 0);
  }
});

test("signs are the page's own, one letter wide, whatever fonts there are", async () => {
  const signs = "●❯☐✻⏺⎿✓→";
  await using scene = await browser.board({ backlog: [signs] });
  const { tab } = scene;
  await tab.expectColumn("backlog", [signs]);
  const widths = await tab.page.evaluate(async (text) => {
    const line = document.body.appendChild(document.createElement("pre"));
    line.className = "font-mono";
    line.append(
      ...[..."m", ...text].map((sign) =>
        Object.assign(document.createElement("span"), { textContent: sign }),
      ),
    );
    await Promise.all(
      [..."m", ...text].map((sign) => document.fonts.load(getComputedStyle(line).font, sign)),
    );
    const measured = [...line.children].map(
      (sign) => Math.round(sign.getBoundingClientRect().width * 10) / 10,
    );
    line.remove();
    return measured;
  }, signs);
  expect(new Set(widths).size).toBe(1);
  const devtools = await tab.page.context().newCDPSession(tab.page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  const { root } = await devtools.send("DOM.getDocument");
  const { nodeId } = await devtools.send("DOM.querySelector", {
    nodeId: root.nodeId,
    selector: "[data-card] a",
  });
  const { fonts } = await devtools.send("CSS.getPlatformFontsForNode", { nodeId });
  expect(fonts.map(({ familyName, glyphCount }) => [familyName, glyphCount])).toEqual([
    ["Signs", signs.length],
  ]);
});
