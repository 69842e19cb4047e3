import { expect, test } from "bun:test";
import { PHONE } from "../support/browser.ts";
import { pointIn } from "../support/pointer.ts";
import { expectStill, frames, history, isTyping, onPhone } from "../support/terminal/phone.ts";
import { expectTyped, recorder } from "../support/terminal/recorder.ts";
import type { Stage } from "../support/terminal/stage.ts";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const phone = onPhone(withTerminals());

const key = (stage: Stage, name: string) =>
  stage.page.getByRole("toolbar", { name: "Terminal keys" }).getByLabel(name, { exact: true });
const insertText = (stage: Stage, text: string) => stage.cdp.send("Input.insertText", { text });

test("the bar's keys are typed as the program wants them, and the keyboard stays", async () => {
  const { stage, finger } = await phone(recorder());
  await using _ = stage;
  await stage.sees("ready");
  const keyboard = key(stage, "Keyboard");
  const isLit = async () => [await keyboard.getAttribute("aria-pressed"), await isTyping(stage)];
  await finger.tap(await stage.cell(5, 5));
  expect(await isLit()).toEqual(["true", true]);
  await keyboard.tap();
  expect(await isLit()).toEqual(["false", false]);
  await keyboard.tap();
  expect(await isLit()).toEqual(["true", true]);
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
  await stage.page.locator("[data-hold=locked]").waitFor();
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
