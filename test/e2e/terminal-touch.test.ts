import { expect, test } from "bun:test";
import { expectStill, frames, history, onPhone } from "../support/terminal/phone.ts";
import { expectTyped, recorder } from "../support/terminal/recorder.ts";
import type { Stage } from "../support/terminal/stage.ts";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const phone = onPhone(withTerminals());

const below = (stage: Stage) => stage.page.getByRole("button", { name: /\d+ lines? below/ });
const menu = (stage: Stage) => stage.page.getByRole("toolbar", { name: "Selection" });
const lineHeight = async (stage: Stage) => (await stage.cell(0, 1)).y - (await stage.cell(0, 0)).y;

test("a finger goes through the history, and rolls on when it lets go in motion", async () => {
  const { stage, finger } = await phone(["bash", "--norc"], { moves: true });
  await using _ = stage;
  await history(stage);
  const count = async () => Number((await below(stage).first().textContent())?.match(/\d+/)?.[0]);
  const still = async () => {
    for (let before = -1; ; ) {
      const now = await count();
      if (now === before) return now;
      before = now;
      await frames(stage, 3);
    }
  };
  const way = 300;
  const carried = Math.floor(way / (await lineHeight(stage)));
  await finger.flick({ x: 200, y: 200 }, { x: 200, y: 200 + way });
  await stage.page.waitForFunction((from) => {
    const text = [...document.querySelectorAll("button")].map((node) => node.textContent).join(" ");
    return Number(/(\d+) lines? below/.exec(text)?.[1]) > from + 3;
  }, carried);
  // A touch stops it.
  const begin = Date.now() / 1_000;
  await finger.down({ x: 200, y: 300 }, begin);
  const stopped = await still();
  expect(stopped).toBeGreaterThan(carried);
  await finger.move({ x: 205, y: 100 }, 6, begin);
  expect(await still()).toBeLessThan(stopped);
  await finger.up();
  await expectStill(stage);
});

test("with reduced motion nothing rolls on", async () => {
  const { stage, finger } = await phone(["bash", "--norc"]);
  await using _ = stage;
  await history(stage);
  const carried = Math.floor(300 / (await lineHeight(stage)));
  await finger.flick({ x: 200, y: 200 }, { x: 200, y: 500 });
  await below(stage).first().waitFor();
  await frames(stage, 20);
  expect(await below(stage).first().textContent()).toContain(`${carried} lines below`);
});

test("a finger turns the wheel of a program that has the mouse, and a tap is a click", async () => {
  const { stage, finger } = await phone(recorder("\\033[?1000h\\033[?1006h"));
  await using _ = stage;
  await stage.sees("ready");
  await finger.tap(await stage.cell(4, 2));
  await expectTyped(stage, "\x1b[<0;5;3M\x1b[<0;5;3m");
  const { x, y } = await stage.cell(4, 8);
  await finger.swipe(await stage.cell(4, 5), { x, y: y + 2 });
  await expectTyped(stage, "\x1b[<64;5;6M".repeat(3));
});

test("on the alternate screen a finger is the arrow keys", async () => {
  const { stage, finger } = await phone(recorder("\\033[?1049h\\033[?1007h"));
  await using _ = stage;
  await stage.sees("ready");
  const { x, y } = await stage.cell(4, 6);
  await finger.swipe(await stage.cell(4, 8), { x, y: y - 2 });
  await expectTyped(stage, "\x1b[B\x1b[B");
});

test("a finger that rests marks a word, is drawn further, and Copy and Paste are offered", async () => {
  const { stage, finger } = await phone(recorder("see /usr/bin/env and more\\r\\nsecond line\\r\\n"));
  await using _ = stage;
  await stage.sees("ready");
  const offer = (name: string) => menu(stage).getByRole("button", { name, exact: true });
  const rest = async (col: number, row: number) => {
    await finger.down(await stage.cell(col, row));
    await menu(stage).waitFor();
  };

  await rest(8, 0);
  await finger.up();
  await offer("Copy").tap();
  await menu(stage).waitFor({ state: "detached" });
  expect(await stage.clipboard()).toBe("/usr/bin/env");

  await rest(8, 0);
  await finger.move(await stage.cell(3, 1));
  await finger.up();
  await offer("Copy").tap();
  await menu(stage).waitFor({ state: "detached" });
  expect(await stage.clipboard()).toBe("/usr/bin/env and more\nsecond");

  // An end can be taken again and drawn elsewhere.
  await rest(8, 0);
  await finger.up();
  await finger.down(await stage.cell(15, 0));
  await finger.move(await stage.cell(19, 0));
  await finger.up();
  await offer("Copy").tap();
  await menu(stage).waitFor({ state: "detached" });
  expect(await stage.clipboard()).toBe("/usr/bin/env and");

  await rest(20, 10);
  await finger.up();
  expect(await offer("Copy").count()).toBe(0);
  await offer("Paste").tap();
  await expectTyped(stage, "/usr/bin/env and");

  await rest(20, 10);
  await finger.up();
  await offer("Select all").tap();
  await offer("Copy").tap();
  await menu(stage).waitFor({ state: "detached" });
  expect(await stage.clipboard()).toStartWith("see /usr/bin/env and more\nsecond line\nready");

  // Scrolling puts the menu away and leaves the mark, which can be tapped again.
  await rest(8, 0);
  await finger.up();
  await finger.swipe(await stage.cell(4, 8), await stage.cell(4, 10));
  await menu(stage).waitFor({ state: "detached" });
  await finger.tap(await stage.cell(8, 0));
  await offer("Copy").waitFor();
  await finger.tap(await stage.cell(20, 12));
  await menu(stage).waitFor({ state: "detached" });
  await expectStill(stage);
});

test("a link that is tapped says where it leads before it opens", async () => {
  const { stage, finger } = await phone(recorder("go https://example.com/there now\\r\\n"));
  await using _ = stage;
  await stage.sees("ready");
  await stage.context.route(/example/, (route) => route.fulfill({ body: "opened" }));
  await finger.tap(await stage.cell(8, 0));
  const popup = stage.context.waitForEvent("page");
  await stage.page.getByRole("button", { name: "Open example.com/there" }).tap();
  const page = await popup;
  await page.waitForURL("https://example.com/there");
  await page.close();
});

test("two fingers change the size of the letters, and nothing else", async () => {
  const { stage, finger } = await phone(["bash", "--norc"]);
  await using _ = stage;
  await stage.expectFitted();
  const { cols } = await stage.host.screen();
  await finger.pinch({ x: 195, y: 300 }, 100, 200);
  await stage.hostSize((size) => size.cols < cols * 0.6);
  await finger.pinch({ x: 195, y: 300 }, 200, 100);
  await stage.hostSize((size) => size.cols > cols * 0.9);
  await stage.expectFitted();
  await stage.expectSame();
  await expectStill(stage);
});

test("two fingers that move together go through the history of a program that has the mouse", async () => {
  const { stage, finger } = await phone(recorder(`\\033[?1000h\\033[?1006h${"line\\r\\n".repeat(90)}`));
  await using _ = stage;
  await stage.sees("ready");
  await finger.drag({ x: 150, y: 200 }, { x: 150, y: 420 });
  await below(stage).first().waitFor();
  await stage.press("x");
  await expectTyped(stage, "x");
});
