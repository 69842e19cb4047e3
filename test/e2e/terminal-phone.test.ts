import { expect, test } from "bun:test";
import { PHONE } from "../support/browser.ts";
import { Finger, pointIn } from "../support/pointer.ts";
import { expectTyped, recorder } from "../support/terminal/recorder.ts";
import type { Stage, StageOptions } from "../support/terminal/stage.ts";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const terminals = withTerminals();

async function phone(argv: string[], options: StageOptions = {}): Promise<{ stage: Stage; finger: Finger }> {
  const stage = await terminals.run(argv, { screen: PHONE, ...options });
  return { stage, finger: await Finger.on(stage.page) };
}

const key = (stage: Stage, name: string) =>
  stage.page.getByRole("toolbar", { name: "Terminal keys" }).getByLabel(name, { exact: true });
const isTyping = (stage: Stage) =>
  stage.page.evaluate(() => document.activeElement?.getAttribute("aria-label") === "Terminal input");
const insertText = (stage: Stage, text: string) => stage.cdp.send("Input.insertText", { text });
const below = (stage: Stage) => stage.page.getByRole("button", { name: /\d+ below/ });
const menu = (stage: Stage) => stage.page.getByRole("toolbar", { name: "What is marked" });
/** The page itself was neither zoomed nor moved. */
const expectStill = async (stage: Stage) =>
  expect(
    await stage.page.evaluate(() => [visualViewport?.scale, visualViewport?.offsetTop, scrollY, scrollX]),
  ).toEqual([1, 0, 0, 0]);

const lineHeight = async (stage: Stage) => (await stage.cell(0, 1)).y - (await stage.cell(0, 0)).y;
const frames = (stage: Stage, count: number) =>
  stage.page.evaluate(
    (left) =>
      new Promise<void>((resolve) => {
        const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve());
        next();
      }),
    count,
  );

async function history(stage: Stage): Promise<void> {
  await stage.type("seq 1 500");
  await stage.press("Enter");
  await stage.sees("500");
}

test("the bar's keys are typed as the program wants them, and the keyboard stays", async () => {
  const { stage, finger } = await phone(recorder());
  await using _ = stage;
  await stage.sees("ready");
  await finger.tap(await stage.cell(5, 5));
  expect(await isTyping(stage)).toBe(true);
  for (const [name, bytes] of [
    ["Esc", "\x1b"],
    ["Tab", "\t"],
    ["Control C", "\x03"],
    ["Up", "\x1b[A"],
    ["Left", "\x1b[D"],
    ["Enter", "\r"],
    ["Shift Tab", "\x1b[Z"],
    ["Home", "\x1b[H"],
    ["PgUp: page up", "\x1b[5~"],
    ["Pipe", "|"],
    ["Tilde", "~"],
  ] as const) {
    await key(stage, name).tap();
    await expectTyped(stage, bytes);
    expect({ name, isTyping: await isTyping(stage) }).toEqual({ name, isTyping: true });
  }
  for (const target of await stage.page.getByRole("toolbar").getByRole("button").all()) {
    const { width, height } = (await target.boundingBox()) ?? { width: 0, height: 0 };
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  }
  await expectStill(stage);
});

test("the bar's keys follow the program's modes", async () => {
  const { stage } = await phone(recorder("\\033[?1h"));
  await using _ = stage;
  await stage.sees("ready");
  await key(stage, "Up").tap();
  await expectTyped(stage, "\x1bOA");
});

test("the bar speaks kitty's protocol where the program asked for it", async () => {
  const { stage } = await phone(recorder("\\033[>1u"));
  await using _ = stage;
  await stage.sees("ready");
  await key(stage, "Esc").tap();
  await key(stage, "Control C").tap();
  await key(stage, "Shift Enter").tap();
  await expectTyped(stage, "\x1b[27u\x1b[99;5u\x1b[13;2u");
  await key(stage, "Alt").tap();
  await key(stage, "Up").tap();
  await expectTyped(stage, "\x1b[1;3A");
});

test("Ctrl and Alt hold for one key, and after a second tap until a third", async () => {
  const { stage, finger } = await phone(recorder());
  await using _ = stage;
  await stage.sees("ready");
  await finger.tap(await stage.cell(5, 5));
  await key(stage, "Ctrl").tap();
  await insertText(stage, "R");
  await insertText(stage, "r");
  await expectTyped(stage, "\x12r");
  await key(stage, "Ctrl").tap();
  await key(stage, "Ctrl").tap();
  expect(await stage.page.locator("[data-hold=locked]").count()).toBe(1);
  await insertText(stage, "a");
  await insertText(stage, "e");
  await key(stage, "Right").tap();
  await expectTyped(stage, "\x01\x05\x1b[1;5C");
  await key(stage, "Ctrl, locked").tap();
  await insertText(stage, "e");
  await expectTyped(stage, "e");
  await key(stage, "Alt").tap();
  await insertText(stage, "b");
  await insertText(stage, "日本");
  await expectTyped(stage, "\x1bb日本");
  await key(stage, "Alt").tap();
  await stage.press("Enter");
  await expectTyped(stage, "\x1b\r");
  expect(await isTyping(stage)).toBe(true);
});

test("a word that the phone still composes is typed before a key, and Ctrl does not wait for its end", async () => {
  const { stage, finger } = await phone(recorder());
  await using _ = stage;
  const compose = (text: string) =>
    stage.cdp.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await stage.sees("ready");
  await finger.tap(await stage.cell(5, 5));
  await compose("l");
  await compose("ls");
  await key(stage, "Tab").tap();
  await expectTyped(stage, "ls\t");
  await key(stage, "Ctrl").tap();
  await compose("c");
  await expectTyped(stage, "\x03");
  await insertText(stage, "x");
  await expectTyped(stage, "x");
});

test("an arrow that is held down goes on, and swiping the bar types nothing", async () => {
  const { stage, finger } = await phone(recorder());
  await using _ = stage;
  await stage.sees("ready");
  const up = await pointIn(key(stage, "Up"));
  const typed = () => stage.bridge.typed.length;
  await finger.down(up);
  while (typed() < 3) await stage.page.evaluate(() => new Promise(requestAnimationFrame));
  await finger.up();
  const { x, y } = await pointIn(key(stage, "Left"));
  await finger.swipe({ x, y }, { x: x - 200, y });
  await stage.page.waitForFunction(() => {
    const ctrl = document.querySelector("[data-hold]")?.getBoundingClientRect();
    return ctrl !== undefined && ctrl.right < innerWidth - 60;
  });
  await key(stage, "Ctrl").tap();
  await key(stage, "Enter").tap();
  const others = () => Buffer.concat(stage.bridge.typed).toString().replaceAll("\x1b[A", "");
  while (others() === "") await frames(stage, 1);
  expect(others()).toBe("\r");
  expect(await stage.page.locator("[data-hold=once]").count()).toBe(0);
});

test("while the line is cut a key types nothing and leaves the keyboard, and the bar goes with the program", async () => {
  const { stage, finger } = await phone(["sh", "-c", "read line; echo got $line; read end"]);
  await using _ = stage;
  stage.expectComplaint(/WebSocket|status of 503/);
  await finger.tap(await stage.cell(5, 5));
  stage.bridge.cut();
  await stage.expectState("reconnecting");
  await finger.tap(await pointIn(key(stage, "Enter")));
  expect(await isTyping(stage)).toBe(true);
  stage.bridge.mend();
  await stage.expectState("live");
  await insertText(stage, "one");
  await key(stage, "Enter").tap();
  await stage.sees("got one");
  await key(stage, "Enter").tap();
  await stage.expectState("ended");
  await stage.page.getByRole("toolbar").waitFor({ state: "detached" });
});

test("the keyboard never covers the prompt, whether the page shrinks or is covered", async () => {
  const { stage, finger } = await phone(["bash", "--norc"]);
  await using _ = stage;
  await history(stage);
  const { rows } = await stage.host.screen();
  await finger.tap(await stage.cell(5, 5));
  const bottomOf = (selector: string) =>
    stage.page.locator(selector).evaluate((node) => Math.round(node.getBoundingClientRect().bottom));

  await stage.page.setViewportSize({ width: 390, height: 500 });
  await stage.hostSize((size) => size.rows < rows - 15);
  await stage.expectFitted();
  expect(await bottomOf("[role=toolbar]")).toBe(500);
  expect((await stage.expectSame()).trimEnd()).toMatch(/[$#]$/);
  await stage.page.setViewportSize(PHONE);
  await stage.hostSize((size) => size.rows === rows);

  // As Safari does it: the page keeps its size, and less of it is to be seen.
  await stage.page.evaluate(() => {
    const { visualViewport } = window;
    Object.defineProperty(visualViewport, "height", { value: innerHeight - 336, configurable: true });
    visualViewport?.dispatchEvent(new Event("resize"));
  });
  await stage.hostSize((size) => size.rows < rows - 15);
  await stage.page.waitForFunction(
    () => document.querySelector("[role=toolbar]")?.getBoundingClientRect().bottom === innerHeight - 336,
  );
  expect((await stage.expectSame()).trimEnd()).toMatch(/[$#]$/);
  await stage.page.evaluate(() => {
    Reflect.deleteProperty(window.visualViewport ?? {}, "height");
    window.visualViewport?.dispatchEvent(new Event("resize"));
  });
  await stage.hostSize((size) => size.rows === rows);
});

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
    return Number(/(\d+) below/.exec(text)?.[1]) > from + 3;
  }, carried);
  // A touch stops it.
  await finger.down({ x: 200, y: 300 });
  const stopped = await still();
  expect(stopped).toBeGreaterThan(carried);
  await finger.move({ x: 205, y: 100 }, 6);
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
  expect(await below(stage).first().textContent()).toContain(`${carried} below`);
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
  expect(await stage.clipboard()).toBe("/usr/bin/env and more\nsecond");

  // An end can be taken again and drawn elsewhere.
  await rest(8, 0);
  await finger.up();
  await finger.down(await stage.cell(15, 0));
  await finger.move(await stage.cell(19, 0));
  await finger.up();
  await offer("Copy").tap();
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
