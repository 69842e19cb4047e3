import { expect, test } from "bun:test";
import { expectTyped, recorder } from "../support/terminal/recorder.ts";
import type { Stage } from "../support/terminal/stage.ts";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const terminals = withTerminals();

async function record(setup = ""): Promise<Stage> {
  const stage = await terminals.run(recorder(setup));
  await stage.sees("ready");
  return stage;
}

const insertText = (stage: Stage, text: string) => stage.cdp.send("Input.insertText", { text });
const compose = (stage: Stage, text: string) =>
  stage.cdp.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });

test("text that comes without keys arrives as its UTF-8, no more and no less", async () => {
  await using stage = await record();
  for (const text of ["é", "日本語", "한글", "🎉", "👨‍👩‍👧‍👦", "e\u0301", "¿qué?", "a\tb"]) {
    await insertText(stage, text);
    await expectTyped(stage, text);
  }
});

test("what an input method composes shows in place, and is sent once it is settled", async () => {
  await using stage = await record();
  const field = stage.page.getByLabel("Terminal input");
  for (const stages of [
    ["n", "に", "にほ", "日本語"],
    ["ㅎ", "하", "한", "한글"],
    ["zh", "zhong", "中文"],
  ]) {
    for (const text of stages) await compose(stage, text);
    expect(await field.getAttribute("data-composing")).not.toBeNull();
    const { color } = await field.evaluate((node) => ({ color: getComputedStyle(node).color }));
    expect(color).not.toBe("rgba(0, 0, 0, 0)");
    expect(await field.inputValue()).toEndWith(stages.at(-1) ?? "");
    await insertText(stage, stages.at(-1) ?? "");
    await expectTyped(stage, stages.at(-1) ?? "");
    expect(await field.getAttribute("data-composing")).toBeNull();
  }
});

test("a composition that is given up types nothing", async () => {
  await using stage = await record();
  await compose(stage, "にほ");
  await compose(stage, "");
  await stage.press("x");
  await expectTyped(stage, "x");
});

test("dead keys type the letter they make, whether the system composes it or the browser does", async () => {
  await using stage = await record();
  const { cdp } = stage;
  // As Linux and Windows tell it: a key that is dead, then one that brings another letter than its own.
  const dead = { key: "Dead", code: "Quote", windowsVirtualKeyCode: 222 };
  await cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...dead });
  await cdp.send("Input.dispatchKeyEvent", { type: "keyUp", ...dead });
  const letter = { key: "é", code: "KeyE", windowsVirtualKeyCode: 69 };
  await cdp.send("Input.dispatchKeyEvent", { type: "keyDown", ...letter, text: "é", unmodifiedText: "é" });
  await cdp.send("Input.dispatchKeyEvent", { type: "keyUp", ...letter });
  await expectTyped(stage, "é");
  // As a Mac tells it: the accent is composed first.
  await compose(stage, "´");
  await insertText(stage, "ú");
  await expectTyped(stage, "ú");
  // The accent alone, twice pressed.
  await compose(stage, "^");
  await insertText(stage, "^");
  await expectTyped(stage, "^");
});

test("a phone's backspace, line break and correction are told as keys", async () => {
  await using stage = await record();
  const edit = (act: string) =>
    stage.page.evaluate((command) => {
      const [name = "", value] = command.split(":");
      document.execCommand(name, false, value);
    }, act);
  await edit("delete");
  await expectTyped(stage, "\x7f");
  await edit("delete");
  await expectTyped(stage, "\x7f");
  await insertText(stage, "teh");
  await expectTyped(stage, "teh");
  // What autocorrection does: the word is chosen, and another put in its place.
  await stage.page.evaluate(() => {
    const field = document.activeElement as HTMLTextAreaElement;
    field.setRangeText("the ", field.value.length - 3, field.value.length, "end");
    field.dispatchEvent(new InputEvent("input", { inputType: "insertReplacementText", bubbles: true }));
  });
  await expectTyped(stage, "\x7f\x7fhe ");
  await edit("insertLineBreak");
  await expectTyped(stage, "\r");
});

test("keys are encoded as every program knows them", async () => {
  await using stage = await record();
  const keys: Record<string, string> = {
    Enter: "\r",
    "Shift+Enter": "\n",
    "Alt+Enter": "\x1b\r",
    Tab: "\t",
    "Shift+Tab": "\x1b[Z",
    Escape: "\x1b",
    Backspace: "\x7f",
    "Control+Backspace": "\b",
    "Alt+Backspace": "\x1b\x7f",
    ArrowUp: "\x1b[A",
    "Shift+ArrowLeft": "\x1b[1;2D",
    "Control+Alt+ArrowRight": "\x1b[1;7C",
    Home: "\x1b[H",
    Delete: "\x1b[3~",
    "Control+Delete": "\x1b[3;5~",
    PageUp: "\x1b[5~",
    F1: "\x1bOP",
    "Shift+F5": "\x1b[15;2~",
    F12: "\x1b[24~",
    "Control+c": "\x03",
    "Control+d": "\x04",
    "Control+z": "\x1a",
    "Control+k": "\x0b",
    "Control+Space": "\0",
    "Control+[": "\x1b",
    "Control+\\": "\x1c",
    "Alt+b": "\x1bb",
    "Alt+Shift+B": "\x1bB",
    a: "a",
    "Shift+A": "A",
    " ": " ",
  };
  for (const [key, bytes] of Object.entries(keys)) {
    await stage.press(key);
    await expectTyped(stage, bytes);
  }
});

test("arrows follow the program's mode, and Shift Enter can be told from Enter where it asks", async () => {
  await using stage = await record("\\033[?1h\\033[>1u");
  await stage.press("ArrowUp", "Home");
  await expectTyped(stage, "\x1b[A\x1b[H");
  await stage.press("Shift+Enter", "Enter", "Control+c", "Escape", "Shift+Tab");
  await expectTyped(stage, "\x1b[13;2u\r\x1b[99;5u\x1b[27u\x1b[9;2u");
  await insertText(stage, "é");
  await expectTyped(stage, "é");
});

test("a paste is bracketed where the program asked, and can't break out of its brackets", async () => {
  await using stage = await record("\\033[?2004h");
  await stage.paste("one\r\ntwo\nthree\x1b[201~rm -rf\x07");
  await expectTyped(stage, "\x1b[200~one\rtwo\rthree[201~rm -rf\x1b[201~");
  const long = "x".repeat(1_000_000);
  await stage.paste(long);
  await expectTyped(stage, `\x1b[200~${long}\x1b[201~`);
});

test("several lines for a program that would run each are asked about first", async () => {
  await using stage = await record();
  await stage.paste("echo one\necho two\n");
  await stage.page.getByRole("alertdialog").getByText("Paste 2 lines?").waitFor();
  await stage.press("Escape");
  await stage.page.getByRole("alertdialog").waitFor({ state: "detached" });
  await stage.paste("echo one\necho two\n");
  await stage.page.getByRole("button", { name: "Paste", exact: true }).waitFor();
  await stage.press("Enter");
  await expectTyped(stage, "echo one\recho two\r");
  await stage.paste("echo one \\\n  --two\n");
  await stage.press("Shift+Tab");
  expect(await stage.page.evaluate(() => document.activeElement?.textContent)).toBe("Paste as one line");
  await stage.press("Enter");
  await expectTyped(stage, "echo one --two");
  await stage.paste("just one line");
  await expectTyped(stage, "just one line");
});

test("the one chord that leaves goes nowhere else, and the board's keys type", async () => {
  await using stage = await record();
  await stage.type("/?cn");
  await stage.press("Control+k");
  await expectTyped(stage, "/?cn\x0b");
  await stage.press("Control+Backquote");
  expect(await stage.page.evaluate(() => document.activeElement?.id)).toBe("outside");
  await stage.type("lost");
  await stage.clickCell(3, 3);
  await stage.type("back");
  await expectTyped(stage, "back");
});

test("the program is told of the focus when it asked", async () => {
  await using stage = await record("\\033[?1004h");
  await stage.page.locator("#outside").focus();
  await stage.clickCell(3, 3);
  await expectTyped(stage, "\x1b[O\x1b[I");
});
